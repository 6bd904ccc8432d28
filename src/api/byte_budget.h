#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace switchyard::api {

/// Bounds the bytes that all connections together hold of one kind. Thread safe.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t limit) : limit_(limit) {}

  std::size_t used() const { return used_; }

  /// What one holder has taken; given back when it is destroyed. Not thread safe.
  class Share {
   public:
    Share() = default;
    explicit Share(ByteBudget& budget) : budget_(&budget) {}
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Share() {
      if (budget_ != nullptr) budget_->used_ -= bytes_;
    }

    /// Grows the share to `bytes`; false, and nothing changes, if the budget does not allow it.
    bool grow_to(std::size_t bytes) {
      if (bytes <= bytes_) return true;
      const std::size_t more = bytes - bytes_;
      const std::size_t used = budget_->used_ += more;
      if (used > budget_->limit_) {
        budget_->used_ -= more;
        return false;
      }
      bytes_ = bytes;
      return true;
    }

   private:
    ByteBudget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace switchyard::api

#include "prefix/prefix_tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace switchyard::prefix {
namespace {

std::int32_t common_tokens(std::span<const core::TokenId> a, std::span<const core::TokenId> b) {
  constexpr std::size_t kBlock = 64;  // memcmp is vectorised, a loop with an early exit is not
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n + kBlock <= limit && std::memcmp(&a[n], &b[n], kBlock * sizeof(core::TokenId)) == 0) {
    n += kBlock;
  }
  while (n < limit && a[n] == b[n]) ++n;
  return static_cast<std::int32_t>(n);
}

}  // namespace

struct PrefixTree::Node {
  std::int32_t size() const { return static_cast<std::int32_t>(tokens.size()); }
  std::int32_t end() const { return begin + size(); }

  std::string salt;  ///< of a root
  std::vector<core::TokenId> tokens;
  std::int32_t begin = 0;  ///< tokens on the way to this node
  Node* parent = nullptr;
  std::vector<HolderId> ends;  ///< holders whose last token is this node's last
  std::unordered_map<core::TokenId, std::unique_ptr<Node>> children;  ///< by first token
};

PrefixTree::PrefixTree() = default;
PrefixTree::~PrefixTree() = default;
PrefixTree::PrefixTree(PrefixTree&&) noexcept = default;
PrefixTree& PrefixTree::operator=(PrefixTree&&) noexcept = default;

void PrefixTree::add(HolderId holder, const std::string& salt) {
  assert(!holders_.contains(holder));
  std::unique_ptr<Node>& root = roots_[salt];
  if (!root) {
    root = std::make_unique<Node>();
    root->salt = salt;
  }
  root->ends.push_back(holder);
  holders_.emplace(holder, root.get());
}

void PrefixTree::append(HolderId holder, std::span<const core::TokenId> tokens) {
  if (tokens.empty()) return;
  Node& from = *holders_.at(holder);
  const bool alone = from.parent && from.children.empty() && from.ends.size() == 1;
  if (alone) {
    from.tokens.insert(from.tokens.end(), tokens.begin(), tokens.end());
    return;
  }
  Node& to = grow(from, tokens);
  to.ends.push_back(holder);
  holders_[holder] = &to;
  leave(from, holder);
}

/// The node that ends `tokens` behind `from`, made if there is none.
PrefixTree::Node& PrefixTree::grow(Node& from, std::span<const core::TokenId> tokens) {
  Node* node = &from;
  while (!tokens.empty()) {
    std::unique_ptr<Node>& child = node->children[tokens.front()];
    if (!child) {
      child = std::make_unique<Node>();
      child->tokens.assign(tokens.begin(), tokens.end());
      child->begin = node->end();
      child->parent = node;
      return *child;
    }
    const std::int32_t common = common_tokens(child->tokens, tokens);
    node = common < child->size() ? &split(*child, common) : child.get();
    tokens = tokens.subspan(common);
  }
  return *node;
}

/// Makes the first `n_tokens` of the node a node of their own and returns it.
PrefixTree::Node& PrefixTree::split(Node& node, std::int32_t n_tokens) {
  std::unique_ptr<Node>& slot = node.parent->children.at(node.tokens.front());
  auto head = std::make_unique<Node>();
  head->begin = node.begin;
  head->parent = node.parent;
  const auto cut = node.tokens.begin() + n_tokens;
  head->tokens.assign(node.tokens.begin(), cut);
  node.tokens.erase(node.tokens.begin(), cut);
  node.begin += n_tokens;
  node.parent = head.get();
  head->children[node.tokens.front()] = std::move(slot);
  slot = std::move(head);
  return *slot;
}

void PrefixTree::cut(HolderId holder, std::int32_t n_tokens) {
  Node* const end = holders_.at(holder);
  assert(n_tokens >= 0 && n_tokens <= end->end());
  if (n_tokens == end->end()) return;
  Node* node = end;
  while (node->begin > n_tokens || (node->begin == n_tokens && node->parent)) node = node->parent;
  if (n_tokens < node->end()) node = &split(*node, n_tokens - node->begin);
  node->ends.push_back(holder);
  holders_[holder] = node;
  leave(*end, holder);
}

void PrefixTree::remove(HolderId holder) {
  const auto found = holders_.find(holder);
  assert(found != holders_.end());
  Node& end = *found->second;
  holders_.erase(found);
  leave(end, holder);
}

void PrefixTree::leave(Node& node, HolderId holder) {
  std::erase(node.ends, holder);
  tidy(node);
}

/// Restores the rule that a node without a holder's end has two children, upwards from `node`.
void PrefixTree::tidy(Node& node) {
  if (!node.ends.empty() || node.children.size() > 1) return;
  if (!node.parent) {
    if (node.children.empty()) roots_.erase(roots_.find(node.salt));
    return;
  }
  if (node.children.empty()) {
    Node& parent = *node.parent;
    parent.children.erase(parent.children.find(node.tokens.front()));
    return tidy(parent);
  }
  // The only child continues here, so that the tokens of a long common start are not moved.
  const std::unique_ptr<Node> child = std::move(node.children.begin()->second);
  node.children = std::move(child->children);
  for (auto& [token, grandchild] : node.children) grandchild->parent = &node;
  node.tokens.insert(node.tokens.end(), child->tokens.begin(), child->tokens.end());
  node.ends = std::move(child->ends);
  for (const HolderId moved : node.ends) holders_[moved] = &node;
}

std::int32_t PrefixTree::length(HolderId holder) const { return holders_.at(holder)->end(); }

std::vector<core::TokenId> PrefixTree::tokens(HolderId holder) const {
  const Node* node = holders_.at(holder);
  std::vector<core::TokenId> out(node->end());
  for (; node; node = node->parent) {
    std::copy(node->tokens.begin(), node->tokens.end(), out.begin() + node->begin);
  }
  return out;
}

std::int32_t PrefixTree::unique_tokens(HolderId holder) const {
  const Node& node = *holders_.at(holder);
  return node.ends.size() == 1 && node.children.empty() ? node.size() : 0;
}

std::vector<HolderId> PrefixTree::covered_by(HolderId holder) const {
  std::vector<HolderId> covered;
  for (const Node* node = holders_.at(holder); node; node = node->parent) {
    for (const HolderId other : node->ends) {
      if (other != holder) covered.push_back(other);
    }
  }
  return covered;
}

PrefixTree::Place PrefixTree::find(const std::string& salt,
                                   std::span<const core::TokenId> prompt) const {
  const auto root = roots_.find(salt);
  if (root == roots_.end()) return {nullptr, 0};
  const Node* node = root->second.get();
  std::int32_t matched = 0;
  while (std::cmp_less(matched, prompt.size())) {
    const auto child = node->children.find(prompt[matched]);
    if (child == node->children.end()) break;
    node = child->second.get();
    const std::int32_t common = common_tokens(node->tokens, prompt.subspan(matched));
    matched += common;
    if (common < node->size()) break;
  }
  return {node, matched};
}

std::int32_t PrefixTree::match_tokens(const std::string& salt,
                                      std::span<const core::TokenId> prompt) const {
  return find(salt, prompt).tokens;
}

Match PrefixTree::match(const std::string& salt, std::span<const core::TokenId> prompt) const {
  const Place place = find(salt, prompt);
  Match match{place.tokens, {}};
  if (match.tokens == 0) return match;
  std::vector<const Node*> open = {place.node};
  while (!open.empty()) {
    const Node& node = *open.back();
    open.pop_back();
    match.holders.insert(match.holders.end(), node.ends.begin(), node.ends.end());
    for (const auto& [token, child] : node.children) open.push_back(child.get());
  }
  return match;
}

}  // namespace switchyard::prefix

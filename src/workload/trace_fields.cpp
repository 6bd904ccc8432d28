#include "workload/trace_fields.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

namespace switchyard::workload {
namespace {

constexpr std::int32_t kMaxTokens = 10'000'000;

struct ColumnName {
  std::string_view name;  ///< lower case, without blanks and '_'
  TraceColumn column;
};

constexpr std::array kColumnNames = {
    ColumnName{"timestamp", TraceColumn::kTime},
    ColumnName{"arrivaltime", TraceColumn::kTime},
    ColumnName{"arrivedat", TraceColumn::kTime},
    ColumnName{"contexttokens", TraceColumn::kInputTokens},
    ColumnName{"requesttokens", TraceColumn::kInputTokens},
    ColumnName{"inputlength", TraceColumn::kInputTokens},
    ColumnName{"inputtokens", TraceColumn::kInputTokens},
    ColumnName{"inputlen", TraceColumn::kInputTokens},
    ColumnName{"prompttokens", TraceColumn::kInputTokens},
    ColumnName{"promptlen", TraceColumn::kInputTokens},
    ColumnName{"promptlength", TraceColumn::kInputTokens},
    ColumnName{"numprefilltokens", TraceColumn::kInputTokens},
    ColumnName{"generatedtokens", TraceColumn::kOutputTokens},
    ColumnName{"responsetokens", TraceColumn::kOutputTokens},
    ColumnName{"outputlength", TraceColumn::kOutputTokens},
    ColumnName{"outputtokens", TraceColumn::kOutputTokens},
    ColumnName{"outputlen", TraceColumn::kOutputTokens},
    ColumnName{"completiontokens", TraceColumn::kOutputTokens},
    ColumnName{"numdecodetokens", TraceColumn::kOutputTokens},
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Reads fixed-width digits and separators from the front of a text.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    if (rest_.size() < count) return fail();
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return fail();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  void one_of(std::string_view separators) {
    if (rest_.empty() || separators.find(rest_.front()) == std::string_view::npos) {
      ok_ = false;
      return;
    }
    rest_.remove_prefix(1);
  }

  double fraction() {
    if (!rest_.starts_with('.')) return 0;
    rest_.remove_prefix(1);
    double value = 0;
    double scale = 0.1;
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return fail();
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value += scale * (rest_.front() - '0');
      scale /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }

  /// Seconds that the zone is ahead of UTC.
  int zone() {
    if (rest_.empty() || rest_ == "Z") return 0;
    const int sign = rest_.front() == '-' ? -1 : 1;
    one_of("+-");
    const int hours = digits(2);
    if (rest_.starts_with(':')) rest_.remove_prefix(1);
    const int minutes = rest_.empty() ? 0 : digits(2);
    if (!rest_.empty()) ok_ = false;
    return sign * (hours * 3600 + minutes * 60);
  }

  bool ok() const { return ok_; }

 private:
  int fail() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::optional<double> parse_date(std::string_view text) {
  DateScanner scanner(text);
  const int year = scanner.digits(4);
  scanner.one_of("-");
  const int month = scanner.digits(2);
  scanner.one_of("-");
  const int day = scanner.digits(2);
  scanner.one_of(" T");
  const int hour = scanner.digits(2);
  scanner.one_of(":");
  const int minute = scanner.digits(2);
  scanner.one_of(":");
  const int second = scanner.digits(2);
  const double fraction = scanner.fraction();
  const int zone = scanner.zone();
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!scanner.ok() || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second + fraction - zone;
}

}  // namespace

std::optional<TraceColumn> trace_column_of(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '\t') continue;
    plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  for (const auto& known : kColumnNames) {
    if (known.name == plain) return known.column;
  }
  return std::nullopt;
}

std::optional<double> parse_timestamp(std::string_view text) {
  text = trimmed(text);
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc() && rest == end) {
    if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
    return seconds;
  }
  return parse_date(text);
}

std::optional<std::int32_t> parse_tokens(std::string_view text) {
  text = trimmed(text);
  std::int32_t tokens = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, tokens);
  if (error != std::errc() || tokens < 0 || tokens > kMaxTokens) return std::nullopt;
  const std::string_view tail(rest, static_cast<std::size_t>(end - rest));
  if (!tail.empty() && (tail.front() != '.' || tail.find_first_not_of('0', 1) != tail.npos)) {
    return std::nullopt;
  }
  return tokens;
}

std::vector<std::string> split_csv(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back().push_back('"');
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back().push_back(c);
    }
  }
  for (auto& field : fields) field = std::string(trimmed(field));
  return fields;
}

}  // namespace switchyard::workload

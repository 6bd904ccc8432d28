#include "config/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "config/serve_options.h"

namespace switchyard::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr OptionSpec kOptions[] = {
    {"port", Type::kInt, "8080", "N", "port to listen on", 0, 65'535},
    {"grace-period", Type::kDouble, "30", "SECONDS", "time to finish", 0, 100},
    {"modes", Type::kList, "auto", "LIST", "weights to serve"},
    {"model", Type::kString, "", "FILE", "weights"},
    {"level", Type::kString, "info", "LEVEL", "least severe message", OptionSpec{}.min,
     OptionSpec{}.max, "info|warn"},
    {"json", Type::kBool, "false", "", "machine-readable output"},
};
constexpr CommandSpec kCommand = {"try", "Tries options.", "switchyard try --port 1", kOptions};

class ParseTest : public testing::Test {
 protected:
  ~ParseTest() override { std::filesystem::remove(file_); }

  /// Writes a config file and returns its path.
  std::string config(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }

  Result<Parsed> parse(const std::vector<std::string>& arguments) {
    return config::parse(kCommand, arguments,
                         [this](const std::string& name) -> std::optional<std::string> {
                           const auto found = environment_.find(name);
                           if (found == environment_.end()) return std::nullopt;
                           return found->second;
                         });
  }

  Settings settings(const std::vector<std::string>& arguments) {
    auto parsed = parse(arguments);
    EXPECT_TRUE(parsed) << parsed.error().message;
    return parsed ? parsed->settings : Settings();
  }

  /// The message of a usage error: always one line.
  std::string usage_error(const std::vector<std::string>& arguments) {
    const auto parsed = parse(arguments);
    EXPECT_FALSE(parsed);
    if (parsed) return "";
    EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
    EXPECT_THAT(parsed.error().message, Not(HasSubstr("\n")));
    return parsed.error().message;
  }

  std::string file_ = testing::TempDir() + "switchyard_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
  std::map<std::string, std::string> environment_;
};

TEST_F(ParseTest, WithoutAnythingTheDefaultsHold) {
  const Settings s = settings({});
  EXPECT_EQ(s.get_int("port"), 8080);
  EXPECT_EQ(s.get_double("grace-period"), 30.0);
  EXPECT_THAT(s.get_list("modes"), ElementsAre("auto"));
  EXPECT_EQ(s.get_string("model"), "");
  EXPECT_FALSE(s.get_bool("json"));
  EXPECT_TRUE(s.is_default("port"));
}

TEST_F(ParseTest, ConfigFileBeatsDefault) {
  const std::string path = config("port = 1000\n");
  const Settings s = settings({"--config", path});
  EXPECT_EQ(s.get_int("port"), 1000);
  EXPECT_EQ(s.source("port"), "config " + path);
}

TEST_F(ParseTest, EnvironmentBeatsConfigFile) {
  environment_["SWITCHYARD_PORT"] = "2000";
  const Settings s = settings({"--config", config("port = 1000\nlevel = \"warn\"\n")});
  EXPECT_EQ(s.get_int("port"), 2000);
  EXPECT_EQ(s.source("port"), "environment SWITCHYARD_PORT");
  EXPECT_EQ(s.get_string("level"), "warn");
}

TEST_F(ParseTest, CommandLineBeatsEnvironment) {
  environment_["SWITCHYARD_PORT"] = "2000";
  const Settings s = settings({"--port", "3000"});
  EXPECT_EQ(s.get_int("port"), 3000);
  EXPECT_EQ(s.source("port"), "command line");
}

TEST_F(ParseTest, EnvironmentNamesTheConfigFile) {
  environment_["SWITCHYARD_CONFIG"] = config("port = 1000\n");
  EXPECT_EQ(settings({}).get_int("port"), 1000);
}

TEST_F(ParseTest, TakesEqualsSignsAndNegatedFlags) {
  environment_["SWITCHYARD_JSON"] = "true";
  EXPECT_EQ(settings({"--port=7"}).get_int("port"), 7);
  EXPECT_TRUE(settings({}).get_bool("json"));
  EXPECT_TRUE(settings({"--json"}).get_bool("json"));
  EXPECT_FALSE(settings({"--no-json"}).get_bool("json"));
}

TEST_F(ParseTest, ListsAreJoinedByCommasOrAnArray) {
  EXPECT_THAT(settings({"--modes", "auto, q8_0"}).get_list("modes"), ElementsAre("auto", "q8_0"));
  EXPECT_THAT(settings({"--modes", ""}).get_list("modes"), IsEmpty());
  EXPECT_THAT(settings({"--config", config("modes = ['bf16', 'q4_0']")}).get_list("modes"),
              ElementsAre("bf16", "q4_0"));
}

TEST_F(ParseTest, ANumberMayBeAnIntegerInTheConfigFile) {
  EXPECT_EQ(settings({"--config", config("grace-period = 5")}).get_double("grace-period"), 5.0);
}

TEST_F(ParseTest, UnknownOptionSuggestsTheNearest) {
  EXPECT_THAT(usage_error({"--prot", "1"}), HasSubstr("did you mean 'port'"));
  EXPECT_THAT(usage_error({"--prot=1"}), HasSubstr("unknown option '--prot'"));
  EXPECT_THAT(usage_error({"--zzzzzzzz"}), Not(HasSubstr("did you mean")));
}

TEST_F(ParseTest, StrayWordsMissingValuesAndRepeatsAreRefused) {
  EXPECT_THAT(usage_error({"model.gguf"}), HasSubstr("unexpected argument 'model.gguf'"));
  EXPECT_THAT(usage_error({"--port"}), HasSubstr("--port"));
  EXPECT_THAT(usage_error({"--port", "1", "--port", "2"}), HasSubstr("--port"));
}

TEST_F(ParseTest, UnknownKeyNamesFileLineAndKey) {
  const std::string path = config("port = 1\nprot = 2\n");
  const std::string message = usage_error({"--config", path});
  EXPECT_THAT(message, HasSubstr(path + ":2"));
  EXPECT_THAT(message, HasSubstr("unknown key 'prot'"));
}

TEST_F(ParseTest, WrongTypeInTheConfigFileIsRefused) {
  for (const char* line : {"port = '80'", "port = 80.5", "port = true", "port = [80]", "port.a = 1",
                           "modes = [1]", "modes = 1", "model = 1", "json = 1", "json = 'true'",
                           "grace-period = 2020-01-01", "grace-period = nan"}) {
    SCOPED_TRACE(line);
    EXPECT_THAT(usage_error({"--config", config(line)}), HasSubstr("expected"));
  }
}

TEST_F(ParseTest, OutOfRangeNamesPlaceLimitAndValue) {
  const std::string path = config("port = 65536");
  EXPECT_THAT(usage_error({"--config", path}),
              testing::AllOf(HasSubstr(path + ":1: port"), HasSubstr("from 0 to 65535"),
                             HasSubstr("'65536'")));
  environment_["SWITCHYARD_GRACE_PERIOD"] = "101";
  EXPECT_THAT(usage_error({}), HasSubstr("environment SWITCHYARD_GRACE_PERIOD: grace-period"));
}

TEST_F(ParseTest, BadNumbersAreRefused) {
  for (const char* text : {"-1", "65536", "99999999999999999999", "1.5", "8o", "", " 1", "0x10"}) {
    SCOPED_TRACE(text);
    EXPECT_THAT(usage_error({"--port", text}), HasSubstr("from 0 to 65535"));
  }
  for (const char* text : {"nan", "inf", "-inf", "1e999", "1,5", "-0.1"}) {
    SCOPED_TRACE(text);
    EXPECT_THAT(usage_error({"--grace-period", text}), HasSubstr("from 0 to 100"));
  }
}

TEST_F(ParseTest, ChoicesAreListedInTheError) {
  EXPECT_THAT(usage_error({"--level", "loud"}), HasSubstr("one of info, warn"));
}

TEST_F(ParseTest, BrokenTomlNamesTheLine) {
  const std::string path = config("port = 1\nport = 2\n");
  EXPECT_THAT(usage_error({"--config", path}), HasSubstr(path + ":2"));
}

TEST_F(ParseTest, UnreadableConfigIsAnIoError) {
  for (const std::string& path :
       {testing::TempDir() + "switchyard_absent.toml", testing::TempDir()}) {
    const auto parsed = parse({"--config", path});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, ErrorCode::kIo);
    EXPECT_THAT(parsed.error().message, HasSubstr("cannot be read"));
  }
}

TEST_F(ParseTest, HostileBytesAreNotEchoed) {
  const std::string message = usage_error({"--level", "\x1b[2J\xff\n"});
  EXPECT_THAT(message, Not(HasSubstr("\x1b")));
  EXPECT_THAT(message, Not(HasSubstr("\xff")));
}

TEST_F(ParseTest, PrintConfigShowsEveryValueWithItsSource) {
  environment_["SWITCHYARD_MODEL"] = "a \"b\".gguf";
  const auto parsed = parse({"--print-config", "--port", "9"});
  ASSERT_TRUE(parsed);
  ASSERT_TRUE(parsed->text);
  EXPECT_THAT(*parsed->text, HasSubstr("port = 9 "));
  EXPECT_THAT(*parsed->text, HasSubstr("# command line"));
  EXPECT_THAT(*parsed->text, HasSubstr("modes = [\"auto\"]"));
  EXPECT_THAT(*parsed->text, HasSubstr("# environment SWITCHYARD_MODEL"));
}

TEST_F(ParseTest, PrintedConfigReadBackGivesTheSameValues) {
  environment_["SWITCHYARD_MODEL"] = "a \"b\"\\\t.gguf";
  const auto first = parse({"--print-config", "--grace-period", "1.5", "--json", "--modes", "a,b"});
  ASSERT_TRUE(first && first->text);
  environment_.clear();
  const Settings s = settings({"--config", config(*first->text)});
  EXPECT_EQ(s.get_string("model"), "a \"b\"\\\t.gguf");
  EXPECT_EQ(s.get_double("grace-period"), 1.5);
  EXPECT_TRUE(s.get_bool("json"));
  EXPECT_THAT(s.get_list("modes"), ElementsAre("a", "b"));
}

TEST_F(ParseTest, HelpListsOptionsDefaultsAndExamplesEvenBesideBadValues) {
  environment_["SWITCHYARD_PORT"] = "bad";
  const auto parsed = parse({"--help"});
  ASSERT_TRUE(parsed);
  ASSERT_TRUE(parsed->text);
  for (const char* part : {"--port N", "(default 8080)", "from 0 to 65535", "one of info, warn",
                           "switchyard try --port 1", "--config FILE", "Usage: switchyard try"}) {
    EXPECT_THAT(*parsed->text, HasSubstr(part));
  }
}

TEST_F(ParseTest, UndeclaredNamesAndWrongTypesAreBugs) {
  const Settings s = settings({});
  EXPECT_DEATH((void)s.get_int("nothing"), "not declared");
  EXPECT_DEATH((void)s.get_int("model"), "another type");
}

TEST(ServeOptions, DefaultsAreValidAndListening) {
  const auto parsed = parse(serve_command(), {}, [](const std::string&) { return std::nullopt; });
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->settings.get_string("host"), "127.0.0.1");
  EXPECT_EQ(parsed->settings.get_int("max-num-seqs"), 16);
}

}  // namespace
}  // namespace switchyard::config

#include "base/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace switchyard {
namespace {

TEST(Sha256, MatchesThePublishedVectors) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "sha256_test";
  std::ofstream(path) << "abc";
  EXPECT_EQ(*sha256_of_file(path.string()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream{path};
  EXPECT_EQ(*sha256_of_file(path.string()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  std::filesystem::remove(path);
}

TEST(Sha256, AFileLongerThanOneChunkIsReadToItsEnd) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "sha256_long_test";
  std::ofstream(path) << std::string(3'000'000, 'a');
  EXPECT_EQ(*sha256_of_file(path.string()),
            "2a152c894398719c0570f83fac34ac03a0f6e8e474b995c2403aa5434f7b9dd4");
  std::filesystem::remove(path);
}

TEST(Sha256, AMissingFileIsAnErrorThatNamesIt) {
  const auto result = sha256_of_file("/no/such/file");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
  EXPECT_NE(result.error().message.find("/no/such/file"), std::string::npos);
}

TEST(Sha256, ADirectoryIsAnError) { EXPECT_FALSE(sha256_of_file(::testing::TempDir())); }

}  // namespace
}  // namespace switchyard

#include "engine/llama/gguf_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/llama/test_support.h"

namespace switchyard::engine {
namespace {

TEST(GgufFile, CountsTensorsAndWeightsByType) {
  const auto file = inspect_gguf(test_model());
  ASSERT_TRUE(file) << file.error().message;
  std::int64_t tensors = 0;
  std::uint64_t weights = 0;
  for (const TensorType& type : file->tensor_types) {
    tensors += type.tensors;
    weights += type.weights;
  }
  EXPECT_EQ(tensors, 272);
  EXPECT_EQ(weights, file->parameters);
  EXPECT_EQ(main_type(*file).name, "q4_1");
  EXPECT_TRUE(main_type(*file).quantized);
  EXPECT_EQ(file->tensor_types.back().name, "f32");
  EXPECT_EQ(file->file_bytes, std::filesystem::file_size(test_model()));
  EXPECT_LE(file->header_bytes + file->tensor_bytes, file->file_bytes);
}

TEST(GgufFile, TheMixListsTheMostFrequentTypeFirst) {
  GgufFile file;
  file.parameters = 1000;
  file.tensor_bytes = 700;
  file.tensor_types = {{"q5_0", true, 166, 600}, {"q4_K", true, 16, 300}, {"f32", false, 61, 100}};
  EXPECT_EQ(tensor_mix(file), "166 q5_0 + 16 q4_K + 61 f32");
  EXPECT_DOUBLE_EQ(bits_per_weight(file), 5.6);
  EXPECT_DOUBLE_EQ(weight_share(file, "q4_K"), 0.3);
  EXPECT_DOUBLE_EQ(weight_share(file, "q8_0"), 0);
  EXPECT_EQ(main_type(file).name, "q5_0");
}

}  // namespace
}  // namespace switchyard::engine

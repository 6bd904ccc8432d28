#include "router/request_class.h"

#include <gtest/gtest.h>

#include <string>

namespace switchyard::router {
namespace {

struct Case {
  const char* name;
  RequestClass expected;
  const char* text;
};

constexpr Case kCases[] = {
    {"ArcQuestion", RequestClass::kMultipleChoice,
     "Which factor will most likely cause a person to develop a fever?\n"
     "A) a leg muscle relaxing after exercise\nB) a bacterial population in the bloodstream\n"
     "C) several viral particles on the skin\nD) carbohydrates being digested\nAnswer:"},
    {"MmluWithDots", RequestClass::kMultipleChoice,
     "The following is a question about anatomy.\n\nWhich nerve is it?\nA. facial\nB. vagus\n"
     "C. optic\nD. none\n"},
    {"TrueFalseOptions", RequestClass::kMultipleChoice,
     "Choose the right answer.\nThe earth is flat.\n(a) true\n(b) false"},
    {"Gsm8k", RequestClass::kArithmetic,
     "Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in "
     "May. In June she sold 12. How many clips did Natalia sell altogether?"},
    {"BareEquation", RequestClass::kArithmetic, "what's 127 * 46?"},
    {"SumInWords", RequestClass::kArithmetic, "Calculate 15 percent of 2,340."},
    {"WritePython", RequestClass::kCode,
     "Write a Python function that returns the n-th Fibonacci number."},
    {"PastedCode", RequestClass::kCode,
     "why does this crash?\n```cpp\nint* p = nullptr;\n*p = 3;\n```"},
    {"CodeWithJson", RequestClass::kCode,
     "Give me a javascript function to parse JSON and return only valid keys."},
    {"UnfencedCode", RequestClass::kCode,
     "int main() {\n  int a = 1;\n  int b = 2;\n  return a;\n}\nwhat does it do"},
    {"JsonAnswer", RequestClass::kStructured,
     "Extract the name and the city from this sentence. Reply only with a JSON object with the "
     "keys name and city: Anna lives in Lyon."},
    {"CsvOutput", RequestClass::kStructured, "List the planets. Output as CSV with two columns."},
    {"Chat", RequestClass::kChat, "Can you suggest a good book about the history of Japan?"},
    {"ChatWithNumbers", RequestClass::kChat,
     "I was born in 1984 and moved in 2003. Tell me about music of those years."},
    {"ChatHowMany", RequestClass::kChat, "How many people live in Norway?"},
    {"DatesAreNoSums", RequestClass::kChat, "What happened on 2024-12-07 in Paris?"},
    {"AnOptionInProse", RequestClass::kChat, "A. Lincoln was a president. Tell me about him."},
    {"Letter", RequestClass::kChat, "Write a cover letter for a job as a nurse."},
    {"Empty", RequestClass::kChat, ""},
    {"NotText", RequestClass::kChat, "\xff\xfe\x01\x80\x80"},
};

TEST(RequestClass, FollowsTheWordRules) {
  for (const Case& c : kCases) {
    EXPECT_EQ(class_name(read_text(c.text).request_class), class_name(c.expected)) << c.name;
  }
}

TEST(RequestClass, HintsOfTheRequestComeFirst) {
  EXPECT_EQ(read_text("what's 1 + 2?", {.tools_offered = true}).request_class,
            RequestClass::kTools);
  EXPECT_EQ(read_text("hello", {.schema_given = true}).request_class, RequestClass::kStructured);
}

TEST(RequestClass, AsksToCopyIfALongTextIsToBeEdited) {
  const std::string body(600, 'x');
  EXPECT_TRUE(read_text("Fix the typos in this text: " + body).asks_to_copy);
  EXPECT_TRUE(read_text(body + " Rewrite the text above in the past tense").asks_to_copy);
  EXPECT_FALSE(read_text("Fix my life").asks_to_copy);
  EXPECT_FALSE(read_text("Tell me a story. " + body + " please fix it. " + body).asks_to_copy);
}

TEST(RequestClass, ReadsBothEndsOfALongText) {
  const std::string filler(100'000, ' ');
  EXPECT_EQ(read_text(filler + "\nA) one\nB) two\nC) three\n").request_class,
            RequestClass::kMultipleChoice);
}

}  // namespace
}  // namespace switchyard::router

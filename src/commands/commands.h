#pragma once

#include <string>
#include <vector>

namespace switchyard::commands {

/// Each runs one command with the arguments that follow its name and returns the exit status:
/// 0, 1 (failed) or 2 (bad usage).
int run_serve(const std::vector<std::string>& arguments);
int run_prepare(const std::vector<std::string>& arguments);
int run_calibrate(const std::vector<std::string>& arguments);
int run_route(const std::vector<std::string>& arguments);
int run_bench_router(const std::vector<std::string>& arguments);
int run_bench_serve(const std::vector<std::string>& arguments);

}  // namespace switchyard::commands

# System libraries come from the distribution's packages (scripts/setup installs them), llama.cpp
# from its pinned source tree.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(simdjson REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)

if(SWITCHYARD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(SWITCHYARD_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

if(SWITCHYARD_ENGINE_LLAMA)
  if(NOT EXISTS ${SWITCHYARD_LLAMA_SOURCE}/include/llama.h)
    message(FATAL_ERROR "no llama.cpp source at ${SWITCHYARD_LLAMA_SOURCE}: run scripts/setup, or "
                        "pass -DSWITCHYARD_LLAMA_SOURCE=DIR, or -DSWITCHYARD_ENGINE_LLAMA=OFF")
  endif()
  # Defaults of ours; every GGML_* option given on the command line (CUDA, Vulkan, …) passes through.
  set(LLAMA_BUILD_COMMON ON CACHE BOOL "")
  set(LLAMA_BUILD_TOOLS OFF CACHE BOOL "")
  set(LLAMA_BUILD_SERVER OFF CACHE BOOL "")
  set(LLAMA_BUILD_TESTS OFF CACHE BOOL "")
  set(LLAMA_BUILD_EXAMPLES OFF CACHE BOOL "")
  set(LLAMA_BUILD_APP OFF CACHE BOOL "")
  set(LLAMA_OPENSSL OFF CACHE BOOL "")
  set(BUILD_SHARED_LIBS OFF CACHE BOOL "")
  # OpenMP builds ignore an attached thread pool; ours is shared by all contexts of a device.
  set(GGML_OPENMP OFF CACHE BOOL "")
  set(GGML_NATIVE ON CACHE BOOL "")
  set(GGML_CCACHE OFF CACHE BOOL "")
  add_subdirectory(${SWITCHYARD_LLAMA_SOURCE} llama.cpp EXCLUDE_FROM_ALL SYSTEM)
  # Some virtual machines lose a thread's AMX tile state when it is preempted, and the next tile
  # instruction ends the process (SIGILL); a server cannot test for that, so tiles are opt-in.
  option(SWITCHYARD_AMX "Let ggml compute quantized weights with AMX tiles" OFF)
  if(NOT SWITCHYARD_AMX AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(ggml-cpu PRIVATE -mno-amx-tile -mno-amx-int8 -mno-amx-bf16)
  endif()
endif()

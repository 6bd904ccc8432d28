# Compile options of ggml's CPU kernels, for our build and for the peer's: both compute alike.
option(SWITCHYARD_AMX "Let ggml compute quantized weights with AMX tiles" OFF)

set(SWITCHYARD_GGML_CPU_OPTIONS "")
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Some virtual machines lose a thread's AMX tile state when it is preempted, and the next tile
  # instruction ends the process (SIGILL); a server cannot test for that, so tiles are opt-in.
  if(NOT SWITCHYARD_AMX)
    list(APPEND SWITCHYARD_GGML_CPU_OPTIONS -mno-amx-tile -mno-amx-int8 -mno-amx-bf16)
  endif()
  # With half-precision vectors ggml's dot product takes 128 values at a time and the rest one by
  # one: heads of 64 values are computed in scalar code, and sums are kept in half precision.
  list(APPEND SWITCHYARD_GGML_CPU_OPTIONS -mno-avx512fp16)
endif()

# Included into llama.cpp's own build by scripts/build_peer: the peer computes with the same kernels
# as switchyard, so AMX is off for it too (the reason is in dependencies.cmake).
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL target_compile_options ggml-cpu PRIVATE
                 -mno-amx-tile -mno-amx-int8 -mno-amx-bf16)
endif()

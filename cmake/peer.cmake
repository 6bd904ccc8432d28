# Included into llama.cpp's own build by scripts/build_peer, so that the peer computes with the same
# kernels as switchyard.
include(${CMAKE_CURRENT_LIST_DIR}/ggml_cpu.cmake)
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL target_compile_options ggml-cpu PRIVATE
               ${SWITCHYARD_GGML_CPU_OPTIONS})

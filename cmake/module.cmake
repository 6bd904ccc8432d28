# One target per folder under src/. scripts/check_includes reads the DEPS lists below and fails the
# build gates on an include that no list allows.
#
#   switchyard_module(NAME <folder> [DEPS <folders>...] [LINK <external targets>...]
#                     [TEST_LINK <targets>...])
#
# Every *.cpp of the folder and its subfolders goes into the static library sy_<name>, every
# *_test.cpp into the executable <name>_test. '/' in a nested module's name becomes '_'.
set(SWITCHYARD_WARNINGS
    -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror
    # Leaving out fields that have a default is what designated initializers are for.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers>
    # libstdc++ 12's stable_sort uses a function that it deprecates itself, which clang reports.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
    # GCC 12 reports an overlap inside std::string::operator+ that cannot be (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

function(switchyard_module)
  cmake_parse_arguments(M "" "NAME" "DEPS;LINK;TEST_LINK;EXCLUDE" ${ARGN})
  string(REPLACE "/" "_" id ${M_NAME})
  set(target sy_${id})

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${M_LINK})
    target_compile_options(${target} PRIVATE ${SWITCHYARD_WARNINGS})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(${target} INTERFACE ${M_LINK})
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src)
  foreach(dep IN LISTS M_DEPS)
    string(REPLACE "/" "_" dep_id ${dep})
    target_link_libraries(${target} ${scope} sy_${dep_id})
  endforeach()

  if(tests AND SWITCHYARD_TESTS)
    add_executable(${id}_test ${tests})
    target_link_libraries(${id}_test PRIVATE ${target} ${M_LINK} ${M_TEST_LINK} GTest::gmock
                                             GTest::gtest_main)
    target_compile_options(${id}_test PRIVATE ${SWITCHYARD_WARNINGS})
    gtest_discover_tests(${id}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
  endif()
endfunction()

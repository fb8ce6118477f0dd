# find_package(lengthwise), then target_link_libraries(program lengthwise::lengthwise), or lengthwise::static.
get_filename_component(_lengthwise_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET lengthwise::static)
  add_library(lengthwise::static STATIC IMPORTED)
  set_target_properties(lengthwise::static PROPERTIES
    IMPORTED_LOCATION "${_lengthwise_prefix}/lib/liblengthwise.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_lengthwise_prefix}/include")
  if(UNIX)
    set_property(TARGET lengthwise::static PROPERTY INTERFACE_LINK_LIBRARIES pthread dl m)
  endif()
endif()
if(NOT TARGET lengthwise::lengthwise)
  if(EXISTS "${_lengthwise_prefix}/lib/liblengthwise.so")
    add_library(lengthwise::lengthwise SHARED IMPORTED)
    set_target_properties(lengthwise::lengthwise PROPERTIES
      IMPORTED_LOCATION "${_lengthwise_prefix}/lib/liblengthwise.so"
      IMPORTED_NO_SONAME ON
      INTERFACE_INCLUDE_DIRECTORIES "${_lengthwise_prefix}/include")
  else()
    add_library(lengthwise::lengthwise INTERFACE IMPORTED)
    set_property(TARGET lengthwise::lengthwise PROPERTY INTERFACE_LINK_LIBRARIES lengthwise::static)
  endif()
endif()
unset(_lengthwise_prefix)

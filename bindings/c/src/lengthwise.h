/* Arduino looks for headers here. */
#include "../include/lengthwise.h"

/* decode1 and the others are in a library of Rust: encode1 too, but for minicbor. */
#include "../proof.h"

# Links the static library of the board's processor, which embedded/build.sh has built, into a PlatformIO project.
import os

Import("env")  # noqa: F821

PROCESSORS = {
    "cortex-m0": "cortex-m0plus",
    "cortex-m0plus": "cortex-m0plus",
    "cortex-m3": "cortex-m3",
    "cortex-m4": "cortex-m4",
    "cortex-m7": "cortex-m4",
    "cortex-m33": "cortex-m33",
}
RISCV = ("esp32c", "esp32h", "gd32vf")
board = env.BoardConfig()  # noqa: F821
processor = PROCESSORS.get(board.get("build.cpu", ""))
if processor in ("cortex-m4", "cortex-m33") and "-mfloat-abi=hard" in env.get("CCFLAGS", []):  # noqa: F821
    processor += "f"
if processor is None and board.get("build.mcu", "").lower().startswith(RISCV):
    processor = "riscv32"
if processor is None:
    raise SystemExit("lengthwise: there is no library for this processor; see bindings/c/embedded/build.sh")
# PlatformIO runs this in its own folder, wherever the library is installed.
folder = os.environ.get("LENGTHWISE_TARGET_DIR", os.path.join(os.getcwd(), "../../../target/embedded"))
library = os.path.abspath(os.path.join(folder, processor, "liblengthwise.a"))
if not os.path.exists(library):
    raise SystemExit(f"lengthwise: there is no {library}; run bindings/c/embedded/build.sh, see docs/embedded.md")
env.Append(LIBS=[env.File(library)])  # noqa: F821

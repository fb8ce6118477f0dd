# Links the static library of the board's processor, which embedded/build.sh has built, into a PlatformIO project.
import os

Import("env")  # noqa: F821

PROCESSORS = {
    "cortex-m0": "cortex-m0plus",
    "cortex-m0plus": "cortex-m0plus",
    "cortex-m3": "cortex-m3",
    "cortex-m4": "cortex-m4",
    "cortex-m33": "cortex-m33",
}
here = os.path.join(env.subst("$PROJECT_DIR"), "lib", "lengthwise")  # noqa: F821
cpu = env.BoardConfig().get("build.cpu", "riscv32")  # noqa: F821
folder = os.environ.get("LENGTHWISE_TARGET_DIR", os.path.join(here, "..", "..", "target", "embedded"))
library = os.path.join(folder, PROCESSORS.get(cpu, "riscv32"), "liblengthwise.a")
if not os.path.exists(library):
    raise SystemExit(f"lengthwise: there is no {library}; run bindings/c/embedded/build.sh, see docs/embedded.md")
env.Append(LIBS=[env.File(library)])  # noqa: F821

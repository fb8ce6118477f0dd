"""Builds the programs of the proof, runs them in an emulator (qemu), and prints the table.

Flash is what a program has more than the same program with nothing to measure. Instructions are counted
exactly: qemu runs one at a time and logs each with its registers; those from a function's first to the
return into main_ are its own. The deepest stack pointer among them is the stack.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import functools
import glob
import io
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROCESSORS = {
    "cortex-m0plus": (["-mthumb", "-mcpu=cortex-m0plus"], ["-M", "microbit"]),
    "cortex-m3": (["-mthumb", "-mcpu=cortex-m3"], ["-M", "mps2-an385"]),
    "cortex-m4": (["-mthumb", "-mcpu=cortex-m4"], ["-M", "mps2-an386"]),
    "cortex-m33": (["-mthumb", "-mcpu=cortex-m33+nofp"], ["-M", "mps2-an505"]),
    "riscv32": (["-march=rv32imc", "-mabi=ilp32"], ["-M", "virt", "-bios", "none"]),
}
TITLES = {
    "cortex-m0plus": "Cortex-M0+", "cortex-m3": "Cortex-M3", "cortex-m4": "Cortex-M4", "cortex-m33": "Cortex-M33",
    "riscv32": "RISC-V 32",
}  # fmt: skip
# Where a machine has its flash and its RAM, if not where the others have them.
PLACES = {"cortex-m33": ("0x10000000", "0x30000000"), "riscv32": ("0x80000000", "0x80100000")}
# What the tools' names begin with, the emulator, and how its log calls the stack pointer.
ARM = ("arm-none-eabi-", "qemu-system-arm", "R13=")
RISCV = ("riscv64-unknown-elf-", "qemu-system-riscv32", " x2/sp ")
# Those with a table of their own in the page: M3 and M33 run the code of an M4.
TABLES = ("cortex-m0plus", "cortex-m4", "riscv32")
HEADER = os.path.join(HERE, "../include/lengthwise.h")
PAGE = os.path.join(HERE, "../../../docs/embedded.md")
# What is measured: name, format of the messages, sources, further flags.
OURS = [
    ("TSF, table of fields", "tsf", ["cases/tsf_typed.c"], []),
    ("TSF, cursor and writer", "tsf", ["cases/tsf_cursor.c"], []),
    ("TSF, rows of 16 bytes", "tsf", ["cases/tsf_rows.c"], []),
    ("TSF, rows of 8 bytes", "tsf", ["cases/tsf_rows.c"], ["-DROWS8"]),
    ("PON, table of fields", "pon", ["cases/tsf_typed.c"], ["-DPON"]),
    ("PON, cursor and writer", "pon", ["cases/pon_cursor.c"], []),
]
PARTS = {"DECODE": ["decode1", "decode2"], "ENCODE": ["encode1", "encode2"], "WALK": ["walk1"],
         "GATHER": ["gather2", "gather2_short"]}  # fmt: skip
# What of the library a program takes that uses all of one format; see cases/flash.c.
FLASH = [
    ("TSF: cursor, writer, numbers, names", ["-DTSF"]),
    ("TSF: the same and rows", ["-DTSF", "-DROWS"]),
    ("PON: cursor, writer, numbers, names", ["-DPON"]),
    ("PON: the same and rows", ["-DPON", "-DROWS"]),
    ("both, without rows", ["-DTSF", "-DPON"]),
    ("both, and rows", ["-DTSF", "-DPON", "-DROWS"]),
    ("TSF: table of fields, both ways", ["-DTSF_FIELDS"]),
    ("PON: table of fields, both ways", ["-DPON_FIELDS"]),
    ("TSF: the same and decimals", ["-DTSF_FIELDS", "-DFIXED"]),
    ("PON: the same and decimals", ["-DPON_FIELDS", "-DFIXED"]),
    ("TSF: the same and 64-bit integers", ["-DTSF_FIELDS", "-DLONG"]),
    ("PON: the same and 64-bit integers", ["-DPON_FIELDS", "-DLONG"]),
    ("TSF: the same and optional fields", ["-DTSF_FIELDS", "-DOPTIONAL"]),
    ("PON: the same and optional fields", ["-DPON_FIELDS", "-DOPTIONAL"]),
    ("TSF: the same and arrays", ["-DTSF_FIELDS", "-DARRAY"]),
    ("PON: the same and arrays", ["-DPON_FIELDS", "-DARRAY"]),
]


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Proof:
    def __init__(self, processor, library, work, profile):
        self.flags, self.machine = PROCESSORS[processor]
        self.tools, self.emulator, self.stack_pointer = RISCV if processor.startswith("riscv") else ARM
        self.library = os.path.join(library, processor, "liblengthwise.a")
        self.include = os.path.join(HERE, "../include")
        self.work = os.path.join(work, processor)
        self.profile = profile
        os.makedirs(self.work, exist_ok=True)
        flash, ram = PLACES.get(processor, ("0", "0x20000000"))
        self.script = os.path.join(self.work, "link.ld")
        with open(os.path.join(HERE, "link.ld")) as script, open(self.script, "w") as out:
            out.write(script.read().replace("FLASH_PLACE", flash).replace("RAM_PLACE", ram))

    def build(self, name, form, sources, flags):
        messages = os.path.join(self.work, form + ".c")
        with open(messages, "w") as out:
            out.write(run(sys.executable, os.path.join(HERE, "messages.py"), form))
        elf = os.path.join(self.work, name + ".elf")
        # A rival has its own, or the library of C, whose memcpy is faster than the one that comes with Rust's.
        libraries = [] if "-DLIBC" in flags or sources[-1].endswith(".a") else [self.library]
        run(
            self.tools + "gcc", *self.flags, "-std=c99", "-Os", "-ffunction-sections", "-fdata-sections",
            "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror",
            "-I", self.include, "-I", HERE, *flags,
            os.path.join(HERE, "start.c"), messages,
            *[s if os.path.isabs(s) else os.path.join(HERE, s) for s in sources],
            *libraries, "-nostartfiles", "-nostdlib", *(["-lc"] if "-DLIBC" in flags else []), "-lgcc",
            "-Wl,--gc-sections", "-Wl,-z,noexecstack", "-Wl,-Map=" + elf + ".map", "-T", self.script,
            "-o", elf,
        )  # fmt: skip
        return elf

    def example(self, archive):
        """Links and runs the example of an archive, with nothing but what is in the archive."""
        work = os.path.abspath(self.work)
        run("tar", "-xzf", archive, "-C", work)
        folder = os.path.join(work, os.path.basename(archive).removesuffix(".tar.gz"))
        self.include, self.library = folder, os.path.join(folder, "liblengthwise.a")
        elf = self.build("example", "tsf", ["example.c", os.path.join(folder, "device.c")], ["-Dmain=example"])
        said = self.emulate(elf)
        if "good example" not in said:
            raise SystemExit(f"{archive}: its example failed: {said}")

    def emulate(self, elf, *flags):
        """What a program says."""
        command = [self.emulator, *self.machine, "-kernel", elf, "-nographic", "-semihosting-config",
                   "enable=on,target=native", *flags]  # fmt: skip
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        return done.stdout + done.stderr

    def flash(self, elf):
        sizes = dict(re.findall(r"^(\.\S+)\s+(\d+)", run(self.tools + "size", "-A", elf), re.M))
        return sum(int(sizes.get(section, 0)) for section in (".text", ".rodata", ".data"))

    def library_flash(self, elf):
        """What is in the program of the library, and of what the library calls: by the linker's map."""
        text = open(elf + ".map").read().split("Linker script and memory map")[1]
        parts = re.findall(r"^ \.(?:text|rodata|data)\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+) \S*lib\w+\.a\(", text, re.M)
        return sum(int(size, 16) for size in parts)

    def ram(self, elf):
        sizes = dict(re.findall(r"^(\.\S+)\s+(\d+)", run(self.tools + "size", "-A", elf), re.M))
        return sum(int(sizes.get(section, 0)) for section in (".bss", ".data"))

    def symbols(self, elf):
        found = {}
        for line in run(self.tools + "nm", "-S", elf).splitlines():
            fields = line.split()
            if len(fields) == 4 and fields[2] in "tTwW":
                found[fields[3]] = (int(fields[0], 16) & ~1, int(fields[1], 16))
        return found

    def count(self, elf, functions):
        """Instructions and stack of each function, after a look whether all came out right."""
        log = elf + ".log"
        output = self.emulate(elf, "-singlestep", "-d", "exec,cpu,nochain", "-D", log)
        for function in functions:
            if "good " + function not in output:
                raise SystemExit(f"{elf}: {function} failed: {output}")
        symbols = self.symbols(elf)
        outside = range(symbols["main_"][0], sum(symbols["main_"]))
        starts = {symbols[f][0]: f for f in functions}
        owner = {}
        for name, (start, size) in symbols.items():
            owner.update(dict.fromkeys(range(start, start + size, 2), name))
        counts, stacks, profiles = {}, {}, {}
        ours = {start for name, (start, _) in symbols.items() if name.startswith(("lw_", "lengthwise_"))}
        current = None
        pc = None
        sp = 0
        for line in open(log):
            if line.startswith("Trace"):
                pc = int(line.split("/")[1], 16)
                if current is None and pc in starts:
                    current = starts[pc]
                    counts[current], stacks[current], entry = 0, [0, 0], None
                    below = None
                    profiles[current] = collections.Counter()
                elif current and pc in outside:
                    current = None
                if current:
                    counts[current] += 1
                    entering = pc in ours
                    profiles[current][owner.get(pc, hex(pc))] += 1
            elif current and self.stack_pointer in line:
                sp = int(line.split(self.stack_pointer)[1].split()[0], 16)
                entry = sp if entry is None else entry
                # Where a function of the library is entered by the program, its own stack begins.
                if entering and (below is None or sp >= below):
                    below = sp
                stacks[current][0] = max(stacks[current][0], entry - sp)
                if below is not None:
                    stacks[current][1] = max(stacks[current][1], below - sp)
        os.remove(log)
        if self.profile:
            for f in functions:
                print(f"  {f}: {counts[f]}", dict(profiles[f].most_common(12)))
        return counts, stacks


def measured(options, processor):
    """The figures of a processor, and what it printed on the way."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        figures = measure(options, processor)
    return figures, printed.getvalue()


def measure(options, processor):
    figures = {}
    proof = Proof(processor, options.library, os.path.join(options.library, "proof"), options.profile)
    base = {part: proof.flash(proof.build("base", "tsf", ["main.c", "cases/none.c"], ["-D" + part])) for part in PARTS}
    print(f"\n{processor}, -Os\n")
    if not options.only:
        for name, flags in FLASH:
            elf = proof.build("flash", "tsf", ["main.c", "cases/flash.c"], ["-Wl,-u,use_all", *flags])
            size = proof.library_flash(elf)
            if "panic" in run(proof.tools + "nm", elf):
                raise SystemExit(f"{elf} can panic")
            if re.search(r" [tT] mem(cpy|move|set)$", run(proof.tools + "nm", elf), re.M):
                raise SystemExit(f"{elf} has a memcpy or its like")
            figures[f"{processor}: flash: {name}"] = size
            print(f"{name:45} {size:5} bytes of flash")
    print(f"\n{'':31}flash{'':12}instructions{'':22}stack, the library's")
    print(f"{'':31}read  write   read M1    M2  write M1    M2  walk  read write  read write  RAM")
    for name, form, sources, flags in rows(options, processor):
        if options.only and options.only not in name:
            continue
        line = {}
        for part, functions in PARTS.items():
            text = open(os.path.join(HERE, sources[0])).read()
            if functions[0] not in text or (functions[0] == "encode1" and "-DREADS_ONLY" in flags):
                continue
            elf = proof.build(re.sub(r"\W+", "-", name) + "-" + part, form, ["main.c", *sources], ["-D" + part, *flags])
            line["flash " + part] = proof.flash(elf) - base[part]
            line["ram " + part] = proof.ram(elf)
            counts, stacks = proof.count(elf, functions)
            line.update(counts)
            line["stack " + part] = max(whole for whole, _ in stacks.values())
            line["library stack " + part] = max(own for _, own in stacks.values())
        figures[f"{processor}: {name}"] = line
        cell = lambda key: str(line.get(key, "-"))  # noqa: E731
        print(
            f"{name:30}{cell('flash DECODE'):>5}{cell('flash ENCODE'):>7}{cell('decode1'):>10}{cell('decode2'):>6}"
            f"{cell('encode1'):>10}{cell('encode2'):>6}{cell('walk1'):>6}{cell('stack DECODE'):>6}{cell('stack ENCODE'):>6}"
            f"{cell('library stack DECODE'):>6}{cell('library stack ENCODE'):>6}{cell('ram DECODE'):>5}"
        )
    for key, line in figures.items():
        if key.startswith(processor) and isinstance(line, dict) and "gather2" in line:
            whole, short = line["gather2"], line["gather2_short"]
            print(f"{key}: 1024 octets left in their place {whole} instructions, one octet {short}")
    if not options.only:
        # The bound that the header states, and the cursors and writers within it as well.
        base, level = map(int, re.search(r"LW_STACK_BYTES\(depth\) \((\d+) \+ \(depth\) \* (\d+)\)", open(HEADER).read()).groups())
        for depth in range(3):
            elf = proof.build("stack", "tsf", ["main.c", "cases/stack.c"], ["-DEXTRA", f"-DDEPTH={depth}"])
            (_, own) = proof.count(elf, ["extra1"])[1]["extra1"]
            figures[f"{processor}: stack of structs in arrays, {depth} deep"] = own
            print(f"structs in arrays, {depth} deep: {own} bytes of stack")
            if own > base + depth * level:
                raise SystemExit(f"{processor}: {own} bytes of stack, {base + depth * level} are allowed")
    if options.archives:
        archive = glob.glob(os.path.join(options.archives, f"lengthwise-*-{processor}.tar.gz"))
        proof.example(*archive)
        print(f"{processor}: the example of the archive: good")
    return figures


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--library", required=True, help="where build.sh left the libraries")
    arguments.add_argument("--processor", default="", help="of these alone, with spaces between")
    arguments.add_argument("--archives", help="where archives.sh left the archives, whose example is run")
    arguments.add_argument("--only", help="a part of a row's name")
    arguments.add_argument("--profile", action="store_true", help="instructions by function as well")
    arguments.add_argument("--json", help="also write the figures there")
    arguments.add_argument("--page", action="store_true", help="write the tables into docs/embedded.md")
    options = arguments.parse_args()
    figures = {}
    # The processors beside each other, and what is printed one after the other.
    with concurrent.futures.ProcessPoolExecutor() as processes:
        processors = options.processor.split() or PROCESSORS
        for found, printed in processes.map(functools.partial(measured, options), processors):
            figures.update(found)
            print(printed, end="", flush=True)
    if options.page:
        page(figures)
    if options.json:
        with open(options.json, "w") as out:
            json.dump(figures, out, indent=1)


def page(figures):
    """Writes the tables between the marks in the page; what was not measured here stays as it is."""
    text = open(PAGE).read()
    for processor in TABLES:
        rows = {key.split(": ", 1)[1]: line for key, line in figures.items() if key.startswith(processor + ": ")}
        cell = lambda line, *keys: " / ".join(f"{line[k]:,}".replace(",", " ") if k in line else "–" for k in keys)  # noqa: E731
        lines = [
            f"{TITLES[processor]} | flash, read / write | read M1 | M2 | write M1 | M2 | stack of the library, read / write",
            "--- | --- | --- | --- | --- | --- | ---",
        ]
        for name, line in rows.items():
            if isinstance(line, dict):
                ours = name.startswith(("TSF", "PON"))
                stack = cell(line, "library stack DECODE", "library stack ENCODE") if ours else "–"
                figures_of = (cell(line, key) for key in ("decode1", "decode2", "encode1", "encode2"))
                lines.append(" | ".join([name, cell(line, "flash DECODE", "flash ENCODE"), *figures_of, stack]))
        # The rows of other libraries that are not here stay.
        for line in text.split(f"<!-- measured: {processor} -->\n")[1].split("<!-- end -->")[0].splitlines()[3:]:
            name = line.split(" | ")[0]
            if name and name not in rows and not name.startswith(("TSF", "PON")):
                lines.append(line)
        text = between(text, processor, lines) if rows else text
    names = [name for name, _ in FLASH]
    lines = ["Flash of the library alone | " + " | ".join(TITLES.values()), " | ".join(["---"] * (len(TITLES) + 1))]
    for name in names:
        sizes = [figures.get(f"{processor}: flash: {name}") for processor in PROCESSORS]
        lines.append(" | ".join([name, *(f"{size:,}".replace(",", " ") if size else "–" for size in sizes)]))
    with open(PAGE, "w") as out:
        out.write(between(text, "flash", lines))


def between(text, mark, lines):
    begin, end = f"<!-- measured: {mark} -->\n", "<!-- end -->"
    before, rest = text.split(begin)
    return before + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end, 1)[1]


def rows(options, processor):
    yield from OURS
    sys.path.insert(0, HERE)
    import rivals

    yield from rivals.rows(options.library, processor)


if __name__ == "__main__":
    main()

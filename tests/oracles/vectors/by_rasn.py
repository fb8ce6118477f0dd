"""rasn as an oracle: the modules as Rust, built and run; see `rasn/` for the program.

rasn has no JSON of ours, so it is given messages: DER as the clauses have it and, where it does not
read that, UPER. What it writes of the value it read is its answer.
"""

import json
import os
import pathlib
import re
import subprocess

from .rasn_source import Source, Unsupported

HERE = pathlib.Path(__file__).parent.parent / 'rasn'
RULES = ('uper', 'aper', 'ber', 'der', 'oer', 'coer', 'cer')
# Modules that are compiled together; 400 of them would take the compiler more than 12 GB.
AT_ONCE = 40


class Requests:
    """What rasn is asked about one module."""

    def __init__(self, out, number, schema, resolver, tally):
        self.out, self.number = pathlib.Path(out, 'rasn'), number
        self.source, self.types, self.lines = Source(resolver), {}, []
        for name in schema.modules[0].types:
            try:
                self.types[name] = self.source.add(name)
            except Unsupported as why:
                tally[f'rasn: types left out, {why}'] += 1

    def add(self, line, name, text, messages, notes):
        """One value: its line in the vectors, its messages and the notes of the clauses."""
        if name in self.types:
            self.lines.append((line, name, text, {r: m.hex() for r, m in messages.items()},
                               {r: sorted(n) for r, n in notes.items()}))

    def write(self):
        matches = ''.join(f'        "{name}" => Some(crate::run::<{rust}>(der, uper)),\n'
                          for name, rust in self.types.items())
        text = (self.source.text() + '\n\npub fn convert(name: &str, der: &[u8], uper: &[u8]) -> Option<String> {\n'
                f'    match name {{\n{matches}        _ => None,\n    }}\n}}\n')
        (self.out / f'm{self.number}.rs').write_text(text)
        (self.out / f'{self.number}.json').write_text('\n'.join(map(json.dumps, self.lines)))


def prepare(out):
    """An empty directory for the requests."""
    folder = out / 'rasn'
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob('*.*'):
        old.unlink()


def answers(out, numbers, target, tally, compare):
    """Builds, runs and compares, some modules at once; adds a column to the vectors."""
    numbers = list(numbers)
    for first in range(0, len(numbers), AT_ONCE):
        answers_at_once(out, numbers[first:first + AT_ONCE], target, tally, compare)


def answers_at_once(out, numbers, target, tally, compare):
    """The same of modules that are built together."""
    folder = (out / 'rasn').resolve()
    while True:
        failed = build(folder, numbers, target)
        if not failed:
            break
        for n, why in failed.items():
            tally[f'rasn: modules left out, {why}'] += 1
        numbers = [n for n in numbers if n not in failed]
    requests = {n: [json.loads(line) for line in (folder / f'{n}.json').read_text().split('\n') if line] for n in numbers}
    asked = '\n'.join(f'{n}\t{name}\t{messages["der"]}\t{messages["uper"]}'
                      for n in numbers for _, name, _, messages, _ in requests[n])
    done = subprocess.run([pathlib.Path(target, 'debug', 'rasn-oracle')], input=asked + '\n', text=True,
                          stdout=subprocess.PIPE, check=True)
    answered = iter(done.stdout.split('\n'))
    for n in numbers:
        flags = {}
        for line, name, text, messages, notes in requests[n]:
            found = next(answered).split('\t')
            flags[line] = ''.join(
                compare('rasn', rules, n, name, text, bytes.fromhex(messages[rules]),
                        answer(found, index, messages[rules]), set(notes[rules]))
                for index, rules in enumerate(RULES))
        path = out / f'{n}.tsv'
        lines = path.read_text().split('\n')[:-1]
        path.write_text(''.join(f'{line}\trasn:{flags.get(i, " " * len(RULES))}\n' for i, line in enumerate(lines)))


def build(folder, numbers, target):
    """Builds the program with these modules; those that the compiler does not take, and why."""
    modules = ''.join(f'#[path = "{folder}/m{n}.rs"]\nmod m{n};\n' for n in numbers)
    arms = ''.join(f'        "{n}" => m{n}::convert(name, der, uper),\n' for n in numbers)
    (folder / 'modules.rs').write_text(
        f'{modules}\nfn convert(module: &str, name: &str, der: &[u8], uper: &[u8]) -> Option<String> {{\n'
        f'    match module {{\n{arms}        _ => None,\n    }}\n}}\n')
    environment = dict(os.environ, ORACLE_MODULES=str(folder), CARGO_TARGET_DIR=str(target))
    done = subprocess.run(['cargo', 'build', '--quiet', '--manifest-path', HERE / 'Cargo.toml'], text=True,
                          env=environment, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return {}
    failed = {}
    for why, number in re.findall(r'^error[^:\n]*: ([^\n]*)\n *--> [^\n]*/m(\d+)\.rs', done.stderr, re.MULTILINE):
        failed.setdefault(int(number), re.sub(r'T\d+\w*', 'T', why))
    if not failed:
        raise RuntimeError(done.stderr)
    return failed


def answer(found, index, expected):
    """Bytes, or a text that says why there are none."""
    if len(found) < 2 * len(RULES):
        return f'rasn: {found[0]}'
    from_der, from_uper = found[index], found[len(RULES) + index]
    if found[0].startswith('?'):
        from_der = found[0]
    if found[len(RULES)].startswith('?'):
        from_uper = found[len(RULES)]
    if expected in (from_der, from_uper):
        return bytes.fromhex(expected)
    for text in (from_der, from_uper):
        if text[:1] not in ('?', '!'):
            return bytes.fromhex(text)
    return from_der

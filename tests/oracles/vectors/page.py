"""The table of `README.md`, from the tally of a run.

    python -m vectors.page target/oracles/vectors/tally.txt
"""

import re
import sys

from .faults import FAULTS

RULES = ('uper', 'aper', 'ber', 'der')


def main():
    counts, examples, example = {}, {}, None
    for line in open(sys.argv[1]):
        found = re.match(r' *(\d+) (.*)$', line)
        if found and example is None:
            counts[found[2]] = int(found[1])
        elif ' | ' in line and not line.startswith(' '):
            example = tuple(line.strip().split(' | '))
            examples[example] = []
        elif example and line.startswith('    '):
            examples[example].append(line.strip())
    for oracle in ('asn1tools', 'rasn'):
        print(f'\n### {oracle}\n')
        print('| what | UPER | APER | BER | DER | who is right, and why |\n| --- | --- | --- | --- | --- | --- |')
        for rules, note, why in FAULTS[oracle]:
            cells = [str(counts.get(f'{oracle} {r} other: {note}', '') if r in rules else '') for r in RULES]
            if any(cells):
                print(f'| {note} | {" | ".join(cells)} | {why} |')


if __name__ == '__main__':
    main()

"""Makes vectors: modules, values, what they are on the wire, and who agrees with that.

    python -m vectors DIRECTORY --modules 300 --values 340 --libraries asn1tools,pycrate,rasn

Of each module the directory gets `N.asn1`, `N.tsv` with a line for each value, and `N.refused` with
messages that have none; see `README.md`.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import random
import sys

from . import ber, oer, per
from .faults import explained
from .ber_forms import Forms
from .make_large import large_schema, many_schema
from .make_modules import make_schema
from .make_refused import refused
from .make_values import ValueMaker
from .notation import module_text
from .resolved import Resolver
from .values import as_read, jer_text
from . import by_rasn
from .by_rasn import Requests

RULES = ('uper', 'aper', 'ber', 'der', 'oer', 'coer', 'cer')
SEED = 'lengthwise'
# pycrate is a third opinion where these two have none.
MUST_BE_EXPLAINED = {'asn1tools': RULES, 'rasn': RULES}


def expected(rules, node, value):
    """Bytes by the clauses, and what was met on the way."""
    notes = set()
    if rules in ('uper', 'aper'):
        return per.encode(node, value, rules == 'aper', notes), notes
    if rules in ('oer', 'coer'):
        return oer.encode(node, value, rules == 'coer', notes), notes
    return ber.encode(node, value, ber.CER if rules == 'cer' else rules == 'der', notes), notes


def reads(node, value):
    """The values that messages give, as JSON, where they are not the value itself."""
    text = jer_text(node, value)
    result = [text]
    for rules in ('uper', 'ber', 'der', 'oer', 'coer', 'cer'):
        for filled in (True, False):
            read = jer_text(node, as_read(node, value, rules, filled))
            result.append('=' if read == text else read)
    return result


def make(arguments):
    """The vectors of one module."""
    number, form, count, out, libraries = arguments
    rng = random.Random(f'{SEED} {number} {form}')
    if form == 'large':
        count = max(20, count // 7)
        schema = large_schema(number)
    elif form == 'many':
        schema = many_schema(number)
    else:
        schema = make_schema(rng, number, form == 'wide')
    resolver = Resolver(schema)
    oracles = []
    if 'asn1tools' in libraries:
        from .by_asn1tools import Asn1tools
        oracles.append(Asn1tools(schema))
    if 'pycrate' in libraries:
        from .by_pycrate import Pycrate
        oracles.append(Pycrate(schema))
    tally = collections.Counter(modules=1)
    examples = {}
    pathlib.Path(out, f'{number}.asn1').write_text('\n'.join(map(module_text, schema.modules)))
    requests = Requests(out, number, schema, resolver, tally) if 'rasn' in libraries else None
    names = list(schema.modules[0].types)
    maker = ValueMaker(rng, odd=form == 'wide', large=form == 'large')
    forms = Forms(rng)
    seen, line = set(), 0
    canonical = open(pathlib.Path(out, f'{number}.canonical'), 'w')
    with canonical, open(pathlib.Path(out, f'{number}.tsv'), 'w') as lines:
        for index in range(count):
            name = names[index % len(names)]
            node = resolver.named(name)
            value = maker.make(node)
            columns = reads(node, value)
            if (name, columns[0]) in seen and index % 3:
                continue
            seen.add((name, columns[0]))
            tally['values'] += 1
            messages, notes, flags = {}, {}, {}
            for rules in RULES:
                messages[rules], notes[rules] = expected(rules, node, value)
            for oracle in oracles:
                flags[oracle.name] = ''
                for rules in RULES:
                    try:
                        theirs = oracle.encode(rules, name, node, value)
                    except Exception as error:
                        theirs = f'{type(error).__name__}: {error}'
                    flags[oracle.name] += compare(tally, examples, oracle.name, rules, number, name, columns[0],
                                                  messages[rules], theirs, notes[rules])
            other, read = forms.message(node, value)
            read = jer_text(node, read)
            columns.append('=' if read == columns[0] else read)
            lines.write('\t'.join([name, *columns, *(messages[rules].hex() for rules in RULES), other.hex(),
                                   *(f'{k}:{v}' for k, v in flags.items())]) + '\n')
            sorted_ = per.encode(node, value, False, set(), True)
            if sorted_ != messages['uper']:
                canonical.write('\t'.join([name, columns[0], sorted_.hex()]) + '\n')
            if requests:
                requests.add(line, name, columns[0], messages, notes)
            line += 1
    with open(pathlib.Path(out, f'{number}.refused'), 'w') as lines:
        for name in names:
            for rules, message, why in refused(resolver.named(name)):
                tally['messages to be refused'] += 1
                lines.write('\t'.join([name, rules, message.hex(), why]) + '\n')
    if requests:
        requests.write()
    return tally, examples


def compare(tally, examples, oracle, rules, number, name, text, ours, theirs, notes):
    """Counts an answer: `=` the same, `-` none, `x` other bytes for a known reason, `?` for none known."""
    if theirs == ours:
        tally[f'{oracle} {rules} same'] += 1
        return '='
    if isinstance(theirs, str):
        tally[f'{oracle} {rules} refused'] += 1
        tally[f'{oracle} {rules} refused: {theirs.split(":")[0][:30]}'] += 1
        return '-'
    known = explained(oracle, rules, notes)
    tally[f'{oracle} {rules} other'] += 1
    for note, _ in known:
        tally[f'{oracle} {rules} other: {note}'] += 1
    keys = [(oracle, rules, note) for note, _ in known] or [(oracle, rules, 'unexplained: ' + ', '.join(sorted(notes)))]
    if not known and rules in MUST_BE_EXPLAINED.get(oracle, ()):
        tally['unexplained'] += 1
    for key in keys:
        if key not in examples or len(examples[key][3]) > len(ours.hex()):
            examples[key] = (number, name, text, ours.hex(), theirs.hex())
    return 'x' if known else '?'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--modules', type=int, default=300)
    parser.add_argument('--values', type=int, default=340, help='of each module')
    parser.add_argument('--libraries', default='asn1tools,pycrate')
    parser.add_argument('--target', type=pathlib.Path, help='where rasn is built')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob('*.*'):
        old.unlink()
    libraries = options.libraries.split(',')
    if 'rasn' in libraries:
        by_rasn.prepare(options.out)
    jobs = [(n, form_of(n), options.values, str(options.out), libraries) for n in range(options.modules)]
    # What takes longest comes first, so that no processor waits for it at the end.
    jobs.sort(key=lambda job: ('many', 'large', 'wide', 'plain').index(job[1]))
    tally, examples = collections.Counter(), {}
    with multiprocessing.Pool(options.jobs) as pool:
        for done, (more, found) in enumerate(pool.imap_unordered(make, jobs), 1):
            tally += more
            for key, example in found.items():
                if key not in examples or len(examples[key][3]) > len(example[3]):
                    examples[key] = example
            print(f'\r{done} of {len(jobs)} modules', end='', file=sys.stderr)
    print(file=sys.stderr)
    if 'rasn' in libraries:
        by_rasn.answers(options.out, range(options.modules), options.target or options.out / 'target', tally,
                        lambda *rest: compare(tally, examples, *rest))
    report(tally, examples, options.out / 'tally.txt')
    sys.exit(1 if tally['unexplained'] else 0)


def form_of(number):
    """What a module is like: one in fifty is large or of very many parts, one in four wide."""
    if number % 50 in (10, 20, 30):
        return 'large'
    if number % 50 == 40:
        return 'many'
    return 'wide' if number % 4 == 3 else 'plain'


def report(tally, examples, path):
    """Counts and the shortest example of every disagreement."""
    lines = [f'{count:9} {what}' for what, count in sorted(tally.items())]
    for key, (number, name, text, ours, theirs) in sorted(examples.items()):
        lines += ['', ' | '.join(key), f'    module {number}, {name}: {text[:300]}', f'    clauses {ours[:300]}',
                  f'    {key[0]:7} {theirs[:300]}']
    path.write_text('\n'.join(lines) + '\n')
    print('\n'.join(lines[:len(tally)]))


if __name__ == '__main__':
    main()

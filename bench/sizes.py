"""Sizes of documents by their XML Schemas beside EXI's: `python3 bench/sizes.py LENGTHWISE JAVA DATA`.

LENGTHWISE is the command, JAVA the folder `bench/peers/java` after `bench/setup.sh` (or `mvn process-classes` in it), DATA a
folder that has ubl21, gpx, kml and uddi. EXI is strict and compressed, with the schema. Ours is APER under zstd: alone, and
with a dictionary of the other documents of the same folder. Comments and the spelling of values are in neither.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

SETS = {
    'UBL': ('ubl21/*.xml', 'ubl21/xsd/maindoc/UBL-{}-2.1.xsd'),
    'GPX': ('gpx/*.gpx', 'gpx/gpx11.xsd'),
    'KML': ('kml/*.kml', 'kml/xsd/ogckml22.xsd'),
    'UDDI': ('uddi/valid/*.xml', 'uddi/xsd/uddi_v2.xsd'),
}


class Exi:
    """The peer, which answers each line with a line."""

    def __init__(self, folder):
        path = f'{folder}/target/classes:{folder}/target/lib/*'
        self.peer = subprocess.Popen(['java', '-Xss64m', '-cp', path, 'peers.Main'], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)

    def ask(self, what, payload):
        self.peer.stdin.write(f'{what} {len(payload)}\n'.encode() + payload)
        self.peer.stdin.flush()
        return self.peer.stdout.readline().decode().strip()

    def size(self, document, schema):
        """The bytes of a document; None and the reason if EXI cannot have it."""
        answer = self.ask('grammar', str(schema).encode())
        if answer.startswith('error'):
            return None, answer
        answer = self.ask('document', document.read_bytes())
        sizes = dict(pair.split('=') for pair in answer.replace('readers', '').strip().split(';') if '=' in pair)
        name = next((name for name in sizes if name.replace('.', ' ') == 'exi strict compressed sax'), None)
        return (int(sizes[name]), '') if name else (None, answer)


def schema_of(document, pattern, data):
    """UBL has a schema for each kind of document."""
    return data / pattern.format(document.name.split('-')[1]) if '{}' in pattern else data / pattern


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True)
    if done.returncode:
        raise SystemExit(f'{arguments}: {done.stderr.decode()}')
    return done.stdout


def main():
    command, java, data = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    exi = Exi(java)
    ratios = {}
    print(f'{"document":42} {"XML":>8} {"EXI":>8} {"APER":>8} {"zstd":>8} {"ratio":>6} {"trained":>8} {"ratio":>6}')
    for name, (files, pattern) in SETS.items():
        documents = sorted(data.glob(files))
        for document in documents:
            schema = schema_of(document, pattern, data)
            peer, why = exi.size(document, schema)
            if peer is None:
                print(f'{document.name:42} not in EXI: {why[:80]}')
                continue
            ours = ['convert', '-q', str(document), '-s', str(schema), '--allow-path', str(data), '-t', 'aper']
            plain, small = len(run(command, *ours)), len(run(command, *ours, '--compress', 'zstd'))
            others = [other for other in documents if other != document]
            schemas = sorted({str(schema_of(other, pattern, data)) for other in others})
            with tempfile.NamedTemporaryFile(suffix='.dict') as dictionary:
                given = [argument for schema in schemas for argument in ('-s', schema)]
                run(command, 'train', '-q', *map(str, others), *given, '--allow-path', str(data), '-o', dictionary.name)
                trained = len(run(command, *ours, '--compress', 'zstd', '--dictionary', dictionary.name))
            ratios.setdefault(name, []).append((small / peer, trained / peer))
            print(f'{document.name:42} {document.stat().st_size:8} {peer:8} {plain:8} {small:8} {small / peer:6.2f} '
                  f'{trained:8} {trained / peer:6.2f}')
    def mean(values):
        return math.exp(sum(map(math.log, values)) / len(values))
    for name, pairs in [*ratios.items(), ('all', [pair for pairs in ratios.values() for pair in pairs])]:
        print(f'{name}: {len(pairs)} documents, geometric mean {mean([one for one, _ in pairs]):.2f}, '
              f'with a dictionary {mean([two for _, two in pairs]):.2f}')


if __name__ == '__main__':
    main()

"""Makes certificates, lists of revoked ones and signed or encrypted messages with OpenSSL.

    python pki.py DIRECTORY [COUNT]

The directory gets COUNT files (1000), a third each of `N.certificate`, `N.crl` and `N.cms`, all in DER. Keys, names,
extensions, times and forms vary by number, so that runs differ only in keys, signatures and times.
"""

import pathlib
import subprocess
import sys
import tempfile

KEYS = [['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
        ['rsa', '-pkeyopt', 'rsa_keygen_bits:2048'], ['ed25519'], ['rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048'],
        ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-pkeyopt', 'ec_param_enc:explicit']]
EXTENSIONS = [
    'basicConstraints=critical,CA:TRUE,pathlen:{n}', 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign',
    'extendedKeyUsage=serverAuth,clientAuth,1.2.3.{n}', 'subjectAltName=DNS:a{n}.example,IP:192.0.2.1,email:a@example.org,'
    'URI:https://example.org/{n},RID:1.2.3.{n}', 'certificatePolicies=2.5.29.32.0,1.2.3.{n}',
    'crlDistributionPoints=URI:http://example.org/{n}.crl', 'authorityInfoAccess=OCSP;URI:http://ocsp.example.org/',
    'nameConstraints=critical,permitted;DNS:example.org,excluded;IP:192.0.2.0/255.255.255.0',
    'policyConstraints=requireExplicitPolicy:{n}', 'inhibitAnyPolicy={n}', 'nsComment=made {n}', 'tlsfeature=status_request',
    '1.2.3.4=ASN1:SEQUENCE:made',
]
SUBJECTS = ['/CN=made {n}', '/C=NO/O=Zażółć/OU=A+CN=B {n}', '/DC=org/DC=example/UID={n}', '/CN=中文 {n}/emailAddress=a@example.org',
            '/C=DE/ST=Berlin/L=Berlin/street=Unter den Linden {n}/CN=x/serialNumber=12345']
CONFIG = '''[req]
distinguished_name = none
string_mask = {mask}
utf8 = yes
[none]
[made]
a = INTEGER:{n}
b = UTF8:made
[ca]
default_ca = own
[own]
database = {folder}/index
crlnumber = {folder}/crlnumber
default_md = sha256
default_crl_days = 30
crl_extensions = crl
[crl]
authorityKeyIdentifier = keyid:always,issuer
'''
REASONS = ['', ',keyCompromise', ',CACompromise', ',superseded', ',cessationOfOperation', ',holdInstruction,holdInstructionReject']


def run(*arguments, **more):
    done = subprocess.run(['openssl', *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode:
        raise RuntimeError(f'{arguments}: {done.stderr}')


def certificate(number, key, folder, out):
    """A certificate of itself, in DER."""
    config, subject = folder / 'config', SUBJECTS[number % 5].format(n=number)
    mask = ['default', 'utf8only', 'nombstr', 'pkix'][number % (4 if subject.isascii() else 2)]
    config.write_text(CONFIG.format(n=number, folder=folder, mask=mask))
    chosen = [text.format(n=number % 200) for place, text in enumerate(EXTENSIONS) if (number * 7919 >> place) & 1]
    more = [part for text in chosen for part in ('-addext', text)]
    days = [1, 365, 3650, 20000][number % 4]
    run('req', '-x509', '-new', '-utf8', '-config', config, '-key', key, '-subj', subject, '-days', days,
        '-set_serial', 1 + number ** (1 + number % 12), '-outform', 'DER', '-out', out, *more)


def revoked(number, key, signer, folder, out):
    """A list of up to 40 revoked certificates."""
    lines = [f'R\t300101000000Z\t{240101000000 + n:012}Z{REASONS[n % 6]}\t{n * 977 + 1:0{2 + 2 * (n % 9)}X}\tunknown\t/CN={n}'
             for n in range(number % 41)]
    (folder / 'index').write_text(''.join(line + '\n' for line in lines))
    (folder / 'crlnumber').write_text(f'{number + 1:04X}\n')
    run('ca', '-gencrl', '-config', folder / 'config', '-keyfile', key, '-cert', signer, '-out', folder / 'crl.pem')
    run('crl', '-in', folder / 'crl.pem', '-outform', 'DER', '-out', out)


def message(number, key, signer, folder, out):
    """Contents that are signed, encrypted, digested or plain."""
    content = folder / 'content'
    content.write_bytes(bytes(range(256)) * (number % 80))
    forms = [['-sign', '-signer', signer, '-inkey', key, '-nodetach'], ['-sign', '-signer', signer, '-inkey', key],
             ['-sign', '-signer', signer, '-inkey', key, '-noattr'], ['-sign', '-signer', signer, '-inkey', key, '-nocerts', '-keyid'],
             ['-data_create'], ['-digest_create'], ['-EncryptedData_encrypt', '-secretkey', '00' * 16, '-aes128'],
             ['-encrypt', '-aes256', '-secretkey', '00' * 32, '-secretkeyid', f'{number:08x}']]
    run('cms', *forms[number % len(forms)], '-binary', '-in', content, '-outform', 'DER', '-out', out)


def main():
    out = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for place, key in enumerate(KEYS):
            run('genpkey', '-algorithm', *key, '-out', folder / f'{place}.key')
            certificate(2 << place, folder / f'{place}.key', folder, folder / f'{place}.der')
            run('x509', '-inform', 'DER', '-in', folder / f'{place}.der', '-out', folder / f'{place}.pem')
        for number in range(count):
            key, signer = folder / f'{number // 3 % 6}.key', folder / f'{number // 3 % 6}.pem'
            if number % 3 == 0:
                certificate(number, key, folder, out / f'{number}.certificate')
            elif number % 3 == 1:
                # OpenSSL 3.0 signs no lists with a key that has no digest of its own.
                revoked(number, folder / '0.key', folder / '0.pem', folder, out / f'{number}.crl')
            else:
                message(number // 3, folder / '2.key', folder / '2.pem', folder, out / f'{number}.cms')


if __name__ == '__main__':
    main()

# %% [markdown]
# # What a certificate says
# DER by a module of ASN.1: a `dict` of everything that the module describes, and octets for the rest.

# %%
import ssl
from pathlib import Path

from lengthwise import Schema

pki = Schema.from_asn1("samples/certificate.asn1")
octets = ssl.PEM_cert_to_DER_cert(Path("samples/certificate.pem").read_text())
certificate = pki.decode(octets, rules="der")
body = certificate["tbsCertificate"]
print("serial number", body["serialNumber"])
print("valid until", body["validity"]["notAfter"][1])
for names in body["subject"][1]:
    for name in names:
        print(name["type"], name["value"])

# %%
# Signatures are over these octets, so they must come back as they were.
assert pki.encode(certificate, rules="der") == octets

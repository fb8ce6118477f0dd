"""A sequence of bits."""


class Bits:
    def __init__(self):
        self.parts, self.count = [], 0

    def number(self, value, width):
        """A non-negative whole number in `width` bits (X.691 11.3)."""
        assert 0 <= value < 1 << width or width == 0 and value == 0, (value, width)
        if width:
            self.digits(f'{value:0{width}b}')

    def digits(self, text):
        """Bits written as `0` and `1`."""
        self.parts.append(text)
        self.count += len(text)

    def bytes(self, octets):
        if octets:
            self.digits(f'{int.from_bytes(octets, "big"):0{8 * len(octets)}b}')

    def pad(self):
        """Zero bits up to the next octet."""
        if self.count % 8:
            self.digits('0' * (8 - self.count % 8))

    def octets(self):
        """All bits, and zero bits up to a whole octet."""
        text = ''.join(self.parts)
        text += '0' * (-len(text) % 8)
        return int(text or '0', 2).to_bytes(len(text) // 8, 'big')

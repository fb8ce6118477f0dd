"""Modules made up at random, from a seed.

A *plain* module keeps to what asn1tools does by the Recommendation, so that it can vouch for nearly
every value; a *wide* one takes all of X.680 that is in scope.
"""

from .make_types import TypeMaker
from .model import Group, Module, NOTHING, Schema

TAGGINGS = ['AUTOMATIC'] * 5 + ['IMPLICIT', 'IMPLICIT', 'EXPLICIT', '']


def make_schema(rng, number, wide):
    """A schema of one module, or of two; the first one imports."""
    tagging = rng.choice(TAGGINGS)
    main = Module(f'Module-{number}', tagging)
    schema = Schema([main], wide)
    if rng.random() < 0.25:
        other = Module(f'Other-{number}', rng.choice(TAGGINGS))
        schema.modules.append(other)
        maker = TypeMaker(rng, schema, other, wide, prefix='O')
        for _ in range(rng.randint(2, 5)):
            maker.assign(rng.random() < 0.4)
        if rng.random() < 0.5:
            other.values['otherLimit'] = rng.randint(3, 40)
        main.imports[other.name] = list(other.types) + list(other.values)
    if wide and rng.random() < 0.1:
        main.extensibility_implied = True
    maker = TypeMaker(rng, schema, main, wide, prefix='T')
    for _ in range(rng.randint(0, 2)):
        main.values[f'limit{len(main.values)}'] = rng.randint(2, 90)
    for _ in range(rng.randint(5, 8)):
        maker.assign(constructed=False)
    for _ in range(rng.randint(5, 8)):
        maker.assign(constructed=True)
    if rng.random() < 0.4:
        maker.assign_recursive()
    return schema

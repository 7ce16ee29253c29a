"""The known units, and the phrases that name one: nothing else after a number is a unit. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

# Each basic unit with its power.
Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Unit:
    """A unit; its `size` is in the basic units of its dimension."""

    dimension: Dimension
    size: Fraction
    name: str = ""
    is_minor: bool = False  # cents: a plain number beside it may be dollars

    def __mul__(self, other: Unit) -> Unit:
        powers = dict(self.dimension)
        for base, power in other.dimension:
            powers[base] = powers.get(base, 0) + power
        dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
        return Unit(dimension, self.size * other.size, f"{self.name} {other.name}")

    def to_the(self, power: int) -> Unit:
        dimension = tuple((base, times * power) for base, times in self.dimension)
        return Unit(dimension, self.size**power, f"{self.name}^{power}")


# Names with their size; a plural's s is taken off.
TABLE: dict[str, dict[str, str]] = {
    "length": {
        "mm millimeter millimetre": "1/1000",
        "cm centimeter centimetre": "1/100",
        "dm decimeter decimetre": "1/10",
        "m meter metre": "1",
        "km kilometer kilometre": "1000",
        "in inch inches": "127/5000",
        "ft foot feet": "381/1250",
        "yd yard": "1143/1250",
        "mi mile": "201168/125",
    },
    "time": {
        "ms millisecond": "1/1000",
        "s sec second": "1",
        "min minute": "60",
        "h hr hour": "3600",
        "day": "86400",
        "week": "604800",
    },
    "months": {"month": "1", "yr year": "12", "decade": "120", "century centuries": "1200"},
    "mass": {"mg milligram": "1/1000", "g gram gm": "1", "kg kilogram kilo": "1000", "tonne": "1000000"},
    "weight": {"oz ounce": "1", "lb lbs pound": "16", "ton": "32000"},
    "volume": {"ml mL milliliter millilitre": "1/1000", "l L liter litre": "1"},
    "measure": {"cup": "1", "pint": "2", "quart": "4", "gal gallon": "16"},
    "dollars": {"dollar usd USD buck": "1", "cent ¢": "1/100"},
    "euros": {"euro eur EUR": "1"},
    "pounds": {"pounds_sterling gbp GBP": "1", "pence penny pennies": "1/100"},
    "rupees": {"rupee Rs rs INR": "1"},
    "yen": {"yen JPY": "1"},
    "yuan": {"yuan RMB CNY": "1"},
    "angle": {"degree deg": "1"},
    "radians": {"radian rad": "1"},
    "celsius": {"celsius": "1"},
    "fahrenheit": {"fahrenheit": "1"},
    "energy": {"J joule": "1", "kJ kilojoule": "1000"},
    "power": {"W watt": "1", "kW kilowatt": "1000"},
    "force": {"N newton": "1"},
    "pressure": {"Pa pascal": "1"},
    "voltage": {"V volt": "1"},
    "resistance": {"ohm \\Omega Ω": "1"},
    "frequency": {"Hz hertz": "1"},
    "current": {"ampere amp": "1"},
    "amount": {"mol mole": "1"},
    "knots": {"knot": "1"},
    "acres": {"acre": "1"},
    "hectares": {"hectare ha": "1"},
}
# Nouns for things that are counted.
NOUNS = """
unit apple orange banana pear lemon egg cookie cake pie pizza slice sandwich donut cupcake candy candies chocolate
student child children kid boy girl man men woman women person people teacher friend adult worker player member
guest customer passenger family families team class classes school dog cat cow horse chicken fish bird rabbit sheep
animal bee frog monkey puppy puppies kitten book page pencil pen paper sheet marble ball toy card coin stamp sticker
ticket box boxes bag bottle basket bucket jar can cup plate bowl spoon tree flower plant rose seed leaf leaves car
bus buses truck bike bicycle wheel train plane boat house home room window door chair table bed lamp shirt dress
shoe sock hat game point goal step stair question problem letter word number digit integer solution way outcome
possibility possibilities triangle circle side vertex vertices edge face diagonal angle line segment
region area tile block brick piece part item object element subset term factor divisor lap trip visit gift
present bead button ribbon flag light song movie video photo picture vote message call email song
"""
COUNTED = frozenset(NOUNS.split())
MINOR = {"cent", "¢", "pence", "penny", "pennies"}
POWERS = {"square": 2, "sq": 2, "sq.": 2, "cubic": 3, "cu": 3, "cu.": 3}
SINGLE_LETTERS = {"m", "s", "g", "l", "h", "L"}
# Units without a space before them: "5m" may be five times m.
ATTACHED = {
    "cm",
    "mm",
    "km",
    "kg",
    "mg",
    "ml",
    "mL",
    "ft",
    "yd",
    "oz",
    "lb",
    "lbs",
    "hr",
    "hrs",
    "dm",
    "kJ",
    "kW",
    "Hz",
}
PART = re.compile(
    r"\s*(?:(per(?![a-z])|/|\*|\\cdot|\\times)\s*)?(\\Omega|[A-Za-z.¢Ω]+)\s*(?:\^?\s*\{?\s*(-?[1-9])\s*\}?)?"
)


def _known() -> dict[str, Unit]:
    known = {
        name: Unit(((dimension, 1),), Fraction(size), names.split()[0], name in MINOR)
        for dimension, units in TABLE.items()
        for names, size in units.items()
        for name in names.split()
    }
    return known | {name: Unit(((name, 1),), Fraction(1), name) for name in COUNTED if name not in known}


KNOWN = _known()
TEMPERATURE = re.compile(r"degrees? *([CcFf])(?:elsius|ahrenheit)?")
COMPOUND = {"mph": "mi/h", "kmh": "km/h", "kph": "km/h", "kmph": "km/h", "cc": "cm^3", "fps": "ft/s"}


def unit(phrase: str) -> Unit | None:
    """The unit that a phrase names, such as ``square cm`` or ``m/s^2``; None for anything else."""
    result, at, raised = Unit((), Fraction(1)), 0, 0
    phrase = phrase.strip().removesuffix(".")
    phrase = COMPOUND.get(
        phrase, TEMPERATURE.sub(lambda found: "celsius" if found[1] in "cC" else "fahrenheit", phrase)
    )
    while at < len(phrase):
        part = PART.match(phrase, at)
        if part is None or (part[1] and not at):
            return None
        at = part.end()
        if power := POWERS.get(part[2].lower()):
            if raised or part[3] or (part[1] and at >= len(phrase)):
                return None
            raised = power * (-1 if part[1] in {"per", "/"} else 1)
            continue
        found = _unit_named(part[2])
        if found is None or (raised and part[1]):
            return None
        times = raised or int(part[3] or 1) * (-1 if part[1] in {"per", "/"} else 1)
        if part[1] is None and result.dimension and not raised:
            return None
        result, raised = (found if times == 1 and not result.dimension else result * found.to_the(times)), 0
    return None if raised or not result.name else result


def _unit_named(name: str) -> Unit | None:
    low = name if len(name) <= 2 or name in KNOWN else name.lower()
    if low in KNOWN:
        return KNOWN[low]
    return KNOWN.get(low.removesuffix("s")) or KNOWN.get(low.removesuffix("es")) if len(low) > 3 else None


def same_kind(one: Unit) -> list[Unit]:
    """The units of the same dimension, which a plain number may be in."""
    return [each for each in KNOWN.values() if each.dimension == one.dimension]

"""The argument lists for one function, the most real and the most telling first.

In this order: what people wrote; what leads to an error and what just misses it; all defaults; each
optional parameter alone; each member of an enum, None and empty collections; then pairs of values
by a covering array. Invariant: deterministic, no list twice, never more than the cap, and nothing
that is refused. A parameter without any value gives no lists at all: better none than a mock.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from workers.writer.analyse.python.facts import Class, Function, Module, Parameter
from workers.writer.inputs.boundaries import boundaries
from workers.writer.inputs.guards import aimed
from workers.writer.inputs.guessed import guessed
from workers.writer.inputs.pairwise import CAP, pairwise
from workers.writer.inputs.recorded import recorded
from workers.writer.inputs.refused import refused
from workers.writer.inputs.samples import Arguments, Origin, Sample, unique
from workers.writer.inputs.typed import values_of

_PER_PARAMETER = 12
_EMPTY = frozenset({"[]", "{}", "''", "()", "set()", "b''", "frozenset([])"})


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A Python text in which people call the function, and what kind of text it is."""

    text: str
    origin: Origin


def inputs_for(
    function: Function,
    module: Module,
    *,
    known: Iterable[Module] = (),
    written: Iterable[Written] = (),
    cap: int = CAP,
) -> tuple[Arguments, ...]:
    """The argument lists of a function; `known` are modules whose classes it may take."""
    classes = {cls.name: cls for each in (*known, module) for cls in each.classes}
    constants = {one.name: one.default for one in module.constants if one.default is not None}
    parameters = called_with(function)
    pool = {one.name: samples_for(one, function, classes, constants) for one in parameters}
    if any(not pool[one.name] for one in parameters if one.required):
        return ()
    found = [
        *_written(function, written),
        *(one.arguments for one in aimed(function, pool, constants)),
        *_defaults(parameters, pool),
        *_special(parameters, pool),
        *_pairs(parameters, pool),
    ]
    filled = [_filled(one, parameters, pool) for one in found]
    return _distinct(filled, parameters)[:cap]


def called_with(function: Function) -> tuple[Parameter, ...]:
    """The parameters that a caller gives; not the object or the class itself."""
    own = function.kind in {"method", "class", "property"}
    given = function.parameters[1:] if own else function.parameters
    return tuple(one for one in given if not one.kind.startswith("var_"))


def samples_for(
    parameter: Parameter,
    function: Function,
    classes: Mapping[str, Class],
    constants: Mapping[str, str],
) -> tuple[Sample, ...]:
    """All values of one parameter, a plain one first."""
    typed = [
        Sample(source=source, origin=Origin.TYPE, why=parameter.annotation)
        for source in values_of(parameter.annotation, classes)
    ]
    plain = typed or ([] if parameter.annotation else list(guessed(parameter, function, classes)))
    edges = boundaries(parameter, function, constants)
    default = []
    if parameter.default is not None:
        default = [Sample(source=parameter.default, origin=Origin.DEFAULT, why="its default")]
    mixed = [*default, *plain[:1], *edges, *plain[1:]]
    return unique([one for one in mixed if not refused(one.source)])[:_PER_PARAMETER]


def _written(function: Function, written: Iterable[Written]) -> Iterator[Arguments]:
    examples = "\n".join(one.source for one in function.examples)
    for text in (Written(text=examples, origin=Origin.EXAMPLE), *written):
        for one in recorded(text.text, function, text.origin):
            if not any(refused(sample.source) for _, sample in one.values):
                yield one


def _defaults(
    parameters: tuple[Parameter, ...], pool: Mapping[str, tuple[Sample, ...]]
) -> Iterator[Arguments]:
    """With all defaults, and each optional parameter alone."""
    yield Arguments(why="all defaults")
    for one in parameters:
        other = [sample for sample in pool[one.name] if sample.source != one.default]
        if not one.required and other:
            yield Arguments(values=((one.name, other[0]),), why=f"only {one.name} is given")


def _special(
    parameters: tuple[Parameter, ...], pool: Mapping[str, tuple[Sample, ...]]
) -> Iterator[Arguments]:
    """None, empty collections and members of an enum, each in a list of its own."""
    for one in parameters:
        for sample in pool[one.name]:
            is_member = "." in sample.source and sample.source.replace(".", "").isidentifier()
            if sample.source in _EMPTY or sample.source == "None" or is_member:
                yield Arguments(values=((one.name, sample),), why=f"{one.name} is {sample.source}")


def _pairs(
    parameters: tuple[Parameter, ...], pool: Mapping[str, tuple[Sample, ...]]
) -> Iterator[Arguments]:
    columns = [(one.name, pool[one.name]) for one in parameters if pool[one.name]]
    for row in pairwise([len(samples) for _, samples in columns]):
        values = [(name, samples[at]) for (name, samples), at in zip(columns, row, strict=True)]
        yield Arguments(values=tuple(values), why="pairs of values")


def _filled(
    arguments: Arguments,
    parameters: tuple[Parameter, ...],
    pool: Mapping[str, tuple[Sample, ...]],
) -> Arguments:
    """With the plain value of each required parameter that is missing, in the order of the call."""
    values = []
    for one in parameters:
        sample = arguments.get(one.name)
        if sample is None and one.required:
            sample = pool[one.name][0]
        values += [(one.name, sample)] if sample is not None else []
    return Arguments(values=tuple(values), why=arguments.why)


def _distinct(found: list[Arguments], parameters: tuple[Parameter, ...]) -> tuple[Arguments, ...]:
    spelled: dict[str, Arguments] = {}
    for one in found:
        spelled.setdefault(one.spelled(parameters), one)
    return tuple(spelled.values())

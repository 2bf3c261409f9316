"""Compiles the functions of the guessing engine; the only module that knows the compiler.

The compiled functions add, subtract, multiply, divide and shift exponents, which IEEE 754 defines
to the last bit, so a guess is the same on every machine. Each is compiled once, for the types of
its annotations: by default the compiler would add a version for every constant argument.

A callee is inlined into its caller, and again into the callers of that one, and compiled each time.
So a large function with many callers is called by its address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from minebot.policy.guessing.cache import folder

Function = TypeVar("Function", bound=Callable[..., Any])

Bytes = Annotated[NDArray[np.uint8], types.Array(types.uint8, 1, "C")]
ByteTable = Annotated[NDArray[np.uint8], types.Array(types.uint8, 2, "C")]
Floats = Annotated[NDArray[np.float64], types.Array(types.float64, 1, "C")]
FloatTable = Annotated[NDArray[np.float64], types.Array(types.float64, 2, "C")]
Numbers = Annotated[NDArray[np.int64], types.Array(types.int64, 1, "C")]
NumberTable = Annotated[NDArray[np.int64], types.Array(types.int64, 2, "C")]
NumberCube = Annotated[NDArray[np.int64], types.Array(types.int64, 3, "C")]
Words = Annotated[NDArray[np.uint64], types.Array(types.uint64, 1, "C")]
WordTable = Annotated[NDArray[np.uint64], types.Array(types.uint64, 2, "C")]

_PLAIN = {
    int: types.int64,
    float: types.float64,
    bool: types.boolean,
    np.uint64: types.uint64,
    type(None): types.void,
}
_functions: list[Any] = []
"""All compiled functions, callees before their callers."""
_entries: list[Any] = []
"""The compiled functions that Python calls; their callees are inlined."""

numba.config.CACHE_DIR = str(folder())  # type: ignore[attr-defined]  # set at run time


def compiled(function: Function) -> Function:
    """Mark a function for compilation that only compiled functions call."""
    return _register(function, cache=False, no_cpython_wrapper=True)


def entry(function: Function) -> Function:
    """Mark a function for compilation that Python calls; the code is kept on disk."""
    made = _register(function, cache=True)
    _entries.append(made)
    return made


def _register(function: Function, **options: bool) -> Function:
    # Functions that are called in one way compile faster without the wrappers for other ways.
    # Without `_nrt` nothing can be allocated, and no references are counted. Counting them for each
    # array in `Workspace` at each call took nearly half of the time of a game.
    settings: dict[str, Any] = {
        "error_model": "numpy",
        "no_cfunc_wrapper": True,
        "_nrt": False,
        **options,
    }
    made: Any = numba.njit(**settings)(function)
    _functions.append(made)
    return cast(Function, made)


def address(function: Callable[..., Any]) -> int:
    """Load an entry's machine code; return its address in this process."""
    made = cast(Any, function)
    _compile(made)
    (result,) = made.overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def by_address(function: Callable[..., Any]) -> Callable[..., Any]:
    """Call an entry by its `address` from a compiled function."""

    @intrinsic
    def call(_: Any, place: Any, arguments: Any) -> Any:
        called = _signature(cast(Any, function).py_func)

        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(called.return_type, called.args)
            pointer = builder.inttoptr(values[0], kind.as_pointer())
            given = [
                context.cast(builder, builder.extract_value(values[1], at), has, wants)
                for at, (has, wants) in enumerate(zip(arguments, called.args, strict=True))
            ]
            status, result = convention.call_function(
                builder, pointer, called.return_type, called.args, given
            )
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return called.return_type(place, arguments), generate

    return cast(Callable[..., Any], call)


def compile_all() -> None:
    """Compile all functions defined so far and keep them on disk; this takes seconds."""
    for function in _functions:
        _compile(function)


def load() -> None:
    """Load the code from disk before the first guess needs it; it must be there."""
    for function in _entries:
        _compile(function)


def _compile(function: Any) -> None:
    if function.signatures:
        return  # done before, as in a process that plays twice
    # Not by the signature: what is on disk is looked up by the types that a call has.
    function.compile(_signature(function.py_func).args)
    function.disable_compile()


def _signature(function: Callable[..., Any]) -> Any:
    hints = get_type_hints(function, include_extras=True)
    returns = _type(hints.pop("return"))
    return cast(Any, returns)(*map(_type, hints.values()))


def _type(hint: Any) -> types.Type:
    """The compiler's type for an annotation: a number, an array, or a tuple of these."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is Annotated:
        return cast(types.Type, get_args(hint)[1])
    if get_origin(hint) is tuple:
        return cast(Any, types.Tuple)([_type(one) for one in get_args(hint)])  # type: ignore[no-any-return]
    fields = get_type_hints(hint, include_extras=True).values()
    return cast(Any, types.NamedTuple)([_type(field) for field in fields], hint)  # type: ignore[no-any-return]

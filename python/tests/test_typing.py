"""The program for type checkers runs, and editors show the text of `help`."""

import ast
import inspect
from pathlib import Path

import pencil_tennis
import pytest
import typed_use
from pencil_tennis import _native


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    typed_use.main()
    assert capsys.readouterr().out.count(".") >= 2


def words(text: str | None) -> list[str]:
    """The words of a docstring: lines end elsewhere in Rust than in a stub."""
    return (text or "").split()


@pytest.mark.parametrize("name", ["Rules", "Policy", "Error", "PolicyError"])
def test_stubs_have_the_docstrings_of_what_they_describe(name: str) -> None:
    stub = ast.parse(Path(pencil_tennis.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
    described = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == name)
    real = getattr(_native, name)
    assert words(ast.get_docstring(described)) == words(inspect.getdoc(real))
    for method in described.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
            documented = words(ast.get_docstring(method))
            assert documented and documented == words(inspect.getdoc(getattr(real, method.name))), method.name


def test_everything_public_is_documented() -> None:
    for name in pencil_tennis.__all__:
        thing = getattr(pencil_tennis, name)
        if callable(thing) and getattr(thing, "__module__", "").startswith("pencil_tennis"):
            assert thing.__doc__, name
            for inner, member in vars(thing).items() if inspect.isclass(thing) else ():
                if not inner.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert inspect.getdoc(member), f"{name}.{inner}"

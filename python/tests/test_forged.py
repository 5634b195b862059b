"""Certificates that break one rule each: those that the tests of the library have, read here by the package."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pencil_tennis as pt
import pytest
from pencil_tennis import games

FOLDER = Path(__file__).parents[2] / "tests" / "games"


def certificates() -> list[Any]:
    """All of them; none where the sources of the project are not here."""
    if not FOLDER.exists():
        return []
    sys.path.append(str(FOLDER))
    try:
        import forged
    finally:
        sys.path.remove(str(FOLDER))
    # Rules in Python have numerators and denominators up to 2^62.
    fitting = (one for one in forged.all_certificates() if not (one[0].startswith("long fractions") and "(digest)" in one[0]))
    return [pytest.param(*certificate[1:], id=certificate[0]) for certificate in fitting]


@pytest.mark.parametrize(("certificate", "rules", "values", "words"), certificates())
def test_every_rule_is_kept(certificate: str, rules: Any, values: dict[str, Fraction], words: dict[str, str]) -> None:
    if not words:
        proof = games.verify(certificate.encode(), rules)
        for state, value in values.items():
            assert proof[state].lower <= value <= proof[state].upper
        return
    with pytest.raises(pt.CertificateError) as refused:
        games.verify(certificate.encode(), rules)
    # States are quoted in another way here.
    assert words.get("package", words["verify"]).split("`: ")[-1] in str(refused.value)

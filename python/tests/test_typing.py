"""The program that type checkers look at does run."""

import pytest
import typed_use


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    typed_use.main()
    assert capsys.readouterr().out.count(".") >= 2

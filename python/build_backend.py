"""The build backend of the package: maturin's, with the command line added to the native module.

A wheel of maturin's carries either a native module or programs. So the program is built as a wheel of its own, with the same
arguments (target, linker, the systems it has to run on), and moves from there into that of the package.

Besides the settings of maturin there is `program-features`, features of the program that are off elsewhere:
`pip wheel --config-settings program-features=tui ./python`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

# The crate of the program, in a checkout as well as in a source distribution.
MANIFEST = Path(__file__).resolve().parents[1] / "crates" / "pencil-tennis-cli" / "Cargo.toml"

Settings = Mapping[str, Any] | None


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Builds the wheel: PEP 517."""
    wheel = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return with_program(Path(wheel_directory) / wheel, config_settings)


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Builds a wheel that refers to the sources of Python: PEP 660."""
    wheel = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    return with_program(Path(wheel_directory) / wheel, config_settings)


def with_program(wheel: Path, settings: Settings) -> str:
    """Builds the program and moves it into a wheel, whose name is returned."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [*maturin.get_maturin_pep517_args(settings), "--manifest-path", str(MANIFEST), "--bindings", "bin", "--strip"]
        if features := (settings or {}).get("program-features"):
            arguments += ["--features", features]
        programs = Path(folder) / maturin.build_wheel(folder, {"maturin.build-args": arguments})
        both = Path(folder) / "both"
        with zipfile.ZipFile(programs) as one, zipfile.ZipFile(wheel) as other, zipfile.ZipFile(both, "w") as archive:
            record = next(name for name in other.namelist() if name.endswith(".dist-info/RECORD"))
            # The folders of both are called by name and version.
            package, crate = record.removesuffix(".dist-info/RECORD"), programs.name.split("-")[0]
            own = f"{crate}-{package.split('-')[1]}"
            scripts = f"{own}.data/scripts/"
            if not any(name.startswith(scripts) for name in one.namelist()):
                sys.exit(f"{programs.name} has no {scripts}: the manifests of program and package give different versions")
            # And the list of the program's dependencies.
            moving = (scripts, f"{own}.dist-info/sboms/")
            for entry in one.infolist():
                if entry.filename.startswith(moving):
                    content = one.read(entry)
                    entry.filename = package + entry.filename.removeprefix(own)
                    archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
            for entry in other.infolist():
                if entry.filename != record:
                    archive.writestr(entry, other.read(entry), zipfile.ZIP_DEFLATED)
            lines = one.read(f"{own}.dist-info/RECORD").decode().splitlines()
            lines = [package + line.removeprefix(own) for line in lines if line.startswith(moving)]
            lines += other.read(record).decode().splitlines()
            archive.writestr(other.getinfo(record), "\n".join([*lines, ""]), zipfile.ZIP_DEFLATED)
        shutil.copyfile(both, wheel)
    return wheel.name

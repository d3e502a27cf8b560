"""Packaging of spielwright. Every dependency has its reason in BUILD_NOTES.md."""

import ast
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent


def _packages() -> tuple[str, ...]:
    """The literal `PACKAGES` of spielwright_packages.py, which is not run here."""
    for node in ast.parse((HERE / "spielwright_packages.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "PACKAGES":
            return ast.literal_eval(node.value)
    raise ValueError("spielwright_packages.py: expected an assignment of PACKAGES, found none")


PACKAGES = _packages()
EXTRAS = {
    "compile": ["Cython>=3"],
    "dask": ["dask[distributed]>=2024.8"],
    "local": ["xllamacpp>=2026.10.11549"],
    "microrts": ["JPype1>=1.5"],
    "native": ["ziglang>=0.17"],
    "neural": ["torch==2.13.0"],
    "openai": ["openai>=2"],
    "py_trees": ["py_trees>=2.3"],
    "ratings": ["cvxpy>=1.5", "networkx>=3"],
    "test": [
        "pytest>=8",
        "pytest-xdist>=3",
        "hypothesis>=6",
        "openai>=2",
        "networkx>=3",
        "Cython>=3",
        "dask[distributed]>=2024.8",
        "choix>=0.4",
        "websockets>=15",
        "setuptools>=70.1",
        "py_trees>=2.3",
        "ruff>=0.17,<0.18",
        "starlette>=0.46",
        "uvicorn>=0.30",
    ],
    "text": ["jericho>=3.3,<4", "textworld>=1.7,<2"],
    "vizdoom": ["vizdoom>=1.3,<2"],
    "web": ["starlette>=0.46", "uvicorn>=0.30"],
}

setup(
    name="spielwright",
    version="0.1.0",
    description="OpenSpiel games and bots written by language models, checked, sealed, and rated",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=find_packages(include=[f"{name}*" for name in PACKAGES if name != "benchmarks"]),
    py_modules=["spielwright", "spielwright_packages"],
    package_data={
        "": [
            "prompts/*",
            "prompts/*/*",
            "prompts/*/*/*",
            "static/*",
            "templates/*",
            "rules/*.md",
            "rules/*/*.md",
            "maps/*.txt",
            "*.toml",
            "*.h",
            "core/*.c",
        ],
        "games.text": ["*.c"],
        "language_models": ["recordings/*.jsonl", "recordings/*/*.jsonl"],
        "artefacts": ["*/*", "*/*/*", "*/*/*/*", "*/*/*/*/*"],
    },
    install_requires=[
        "open_spiel>=2.0.2",
        "numpy>=1.26",
        "scipy>=1.11",
        "google-genai>=3.3",
        "absl-py>=2.1",
        "Jinja2>=3.1",
        "tqdm>=4.66",
        "matplotlib>=3.8",
    ],
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["spielwright = runs.console:main"]},
)

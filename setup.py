"""Packaging of spielwright. Every dependency has its reason in BUILD_NOTES.md."""
from pathlib import Path

from setuptools import find_packages, setup

EXTRAS = {
    "compile": ["Cython>=3"],
    "dask": ["dask[distributed]>=2024.8"],
    "microrts": ["JPype1>=1.5"],
    "neural": ["torch==2.13.0"],
    "openai": ["openai>=2"],
    "py_trees": ["py_trees>=2.3"],
    "ratings": ["cvxpy>=1.5", "networkx>=3"],
    "test": ["pytest>=8", "pytest-xdist>=3", "hypothesis>=6", "openai>=2", "networkx>=3",
             "Cython>=3", "dask[distributed]>=2024.8", "websockets>=13", "setuptools>=70.1",
             "py_trees>=2.3"],
    "text": ["jericho>=3.3,<4", "textworld>=1.7,<2"],
}

setup(
    name="spielwright",
    version="0.1.0",
    description="OpenSpiel games and bots written by language models, checked, sealed, and rated",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=find_packages(include=["games*", "language_models*", "sandbox*", "cwm*", "skill_planner*",
                                    "policy_evolve*", "bt_policies*", "mcdml*", "arena*"]),
    py_modules=["spielwright", "spielwright_rooms"],
    package_data={
        "games": ["rules/*.md", "micro_rts/maps/*.txt"],
        "language_models": ["recordings/*.jsonl", "recordings/*/*.jsonl"],
        "arena": ["templates/*", "league.toml"],
        "cwm": ["prompts/*.j2", "rules/*.md", "models/*/*/*", "models/*/*/*/*", "policies/*"],
        "skill_planner": ["prompts/*"],
        "policy_evolve": ["prompts/*.j2", "policies/*.py"],
        "mcdml": ["prompts/*.j2"],
        "bt_policies": ["prompts/*.j2", "trees/*.bt", "trees/*.team", "weights/*.npz"],
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
)

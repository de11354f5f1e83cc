#!/usr/bin/env python3
"""Sheaf as another project gets it: installed and found by pkg-config, or as a Meson subproject.

    install_test.py (pkg-config | subproject) SOURCE_ROOT BUILD_ROOT SCRATCH COMPILER…
"""
import os
import pathlib
import shutil
import subprocess
import sys


def run(command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def output_of(command, environment):
    return run(command, env=environment, stdout=subprocess.PIPE, text=True).stdout.split()


def check_pkg_config(source, build, scratch, compiler):
    root = scratch / "root"
    shutil.rmtree(root, ignore_errors=True)
    run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", root])
    package = next(root.rglob("sheaf.pc"))
    environment = {**os.environ, "PKG_CONFIG_PATH": str(package.parent)}
    libraries = package.parent.parent
    for name in sorted(file.stem for file in package.parent.glob("*.pc")):
        flags = output_of(["pkg-config", "--cflags", "--libs", name], environment)
        program = scratch / f"{name}_consumer"
        run([*compiler, "-std=c++20", source / "test/install/project/consumer.cc", "-o", program, *flags])
        run([program], env={**environment, "LD_LIBRARY_PATH": str(libraries)})
    check_static(source, scratch, compiler, environment)


def check_static(source, scratch, compiler, environment):
    """Linked statically, and without a package of what only our sources use."""
    shown = output_of(["pkg-config", "--print-requires", "--print-requires-private", "sheaf"], environment)
    if hidden := [name for name in shown if not name.startswith("absl_")]:
        sys.exit(f"sheaf.pc requires {hidden}, which no header of ours shows")
    flags = output_of(["pkg-config", "--static", "--cflags", "--libs", "sheaf"], environment)
    program = scratch / "static_consumer"
    run([*compiler, "-std=c++20", source / "test/install/project/consumer.cc", "-o", program,
         *["-l:libsheaf.a" if flag == "-lsheaf" else flag for flag in flags]])
    run([program], env=environment)


def check_subproject(source, scratch):
    project = scratch / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(source / "test/install/project", project)
    (project / "subprojects").mkdir()
    (project / "subprojects/sheaf").symlink_to(source, target_is_directory=True)
    build = scratch / "build"  # Kept: the next run compiles what changed.
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        run(["meson", "setup", build, project, "--wrap-mode=default", "-Doptimization=0", "-Ddebug=false"])
    run(["ninja", "-C", build, "--quiet", "consumer"])
    run([build / "consumer"])
    targets = run(["ninja", "-C", build, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True).stdout
    if "base_test" in targets:
        sys.exit("tests nobody asked for are part of the consumer's build")


def main():
    kind, source, build, scratch = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    scratch.mkdir(parents=True, exist_ok=True)
    if kind == "pkg-config":
        check_pkg_config(source, build, scratch, sys.argv[5:])
    else:
        check_subproject(source, scratch)


if __name__ == "__main__":
    main()

"""The command line: ``python -m edition --help``."""

import errno
import shutil
from pathlib import Path

import click

from edition.book import ROOT, SCALES, WHOLE, book, chosen, parameters_at
from edition.locking import exclusive_lock
from edition.yaml_values import read_value

jobs = click.option(
    "--jobs", default=2, show_default=True, type=click.IntRange(1), help="How many chapters run at once."
)
scale = click.option("--scale", type=click.Choice(SCALES), default="default", help="The default is that of the papers.")
part = click.option("--part", default=WHOLE, show_default=True, help="A part of the book that _toc.yml knows.")
KINDS = click.Choice(["machine", "seed", "effort", "step", "other"])

REMEDY = "correct that and give the same command again; what is finished is kept"


class Commands(click.Group):
    """Commands that tell in words what went wrong and what to do about it."""

    def invoke(self, context):
        """Run the command that was chosen."""
        try:
            return super().invoke(context)
        except click.UsageError as error:
            if "unexpected extra" in error.message or "'-p'" in error.message:
                remedy = "a parameter is given as -p NAME VALUE, and what has spaces stands in quotes"
                error.message = f"{error.message.removesuffix('.')}; {remedy}"
            raise
        except (ValueError, RuntimeError) as error:
            if isinstance(error, click.exceptions.Exit | click.Abort):
                raise
            raise click.ClickException(str(error)) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly where nobody reads on
            raise click.ClickException(_told(error)) from None
        except KeyboardInterrupt:
            message = "interrupted; what is finished is kept, the same command goes on from there"
            raise click.ClickException(message) from None


def _told(error):
    """Return what the system refused, where, and what to do about it."""
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):  # of a tree: the first says what is wrong
        return f"{error.args[0][0][-1]}; {REMEDY}"
    place = error.filename2 or error.filename or ""  # the second is the name that a new file or folder takes
    problem = error.strerror or str(error) or type(error).__name__
    return f"{place}{': ' if place else ''}{problem}; {REMEDY}"


@click.group(cls=Commands)
@click.option("--root", type=click.Path(exists=True, file_okay=False, path_type=Path), default=ROOT, help="The book.")
@click.pass_context
def main(context, root):
    """Execute the chapters and build the book."""
    context.obj = root.resolve()


def command(*options):
    """Return what makes a command of a function of the book's folder, its ``_build``, and options."""

    def decorate(function):
        for option in options[::-1]:
            function = option(function)
        return main.command()(click.pass_obj(function))

    return decorate


@command(scale, part, jobs)
def build(root, scale, part, jobs):
    """Execute the chapters that changed and build the book, or a part that stands alone."""
    from edition.publishing.build import build_book

    with exclusive_lock(root / "_build"):
        destination = build_book(root, scale, root / "_build", jobs=jobs, part=part)
    click.echo(f"the book: {destination / 'index.html'}")


@command(
    scale, part, jobs, click.option("--packages", is_flag=True, help="Only name the packages of TeX that it takes.")
)
def pdf(root, scale, part, jobs, packages):
    """Execute the chapters that changed and typeset the book, or a part that stands alone."""
    from edition.publishing.build import build_pdf
    from edition.publishing.pdf import PACKAGES

    if packages:
        click.echo(PACKAGES)
        return
    with exclusive_lock(root / "_build"):
        destination = build_pdf(root, scale, root / "_build", jobs=jobs, part=part)
    click.echo(f"the book: {destination}")


@command(scale, jobs)
def reproduce(root, scale, jobs):
    """Build the book twice, each time from nothing, and compare the two byte for byte."""
    from edition.verification.rebuild import reproduce

    with exclusive_lock(root / "_build"):
        same, wrong = reproduce(root, scale, root / "_build", jobs=jobs)
    click.echo("\n".join([f"{same} files are identical byte for byte", *wrong]))
    if wrong or not same:
        raise click.ClickException("the second build is another book; _build/reproduce has what was built")
    click.echo("the second build is the same book but for the seconds and the memory that it took")


@command(
    click.argument("theirs", type=click.Path(exists=True, path_type=Path)),
    click.argument("ours", type=click.Path(exists=True, path_type=Path), required=False),
)
def compare(root, theirs, ours):
    """Compare THEIRS, another copy of the built book, with OURS: claims and figure data, within tolerances.

    Each is the folder of a site; OURS is by default the book that was built here.
    """
    from edition.publishing.build import site_folder
    from edition.verification.copies import Copy, compare_copies

    their = Copy.read(theirs)
    our = Copy.read(ours or _built(site_folder(root / "_build", their.receipt["scale"], their.part)))
    agreement = compare_copies(their, our)
    click.echo(f"{'':8}{'theirs':42}ours")
    for (name, first), second in zip(their.made_with().items(), our.made_with().values()):
        click.echo(f"{name:8}{first:42}{second}")
    click.echo(agreement.describe())
    if not agreement.holds:
        raise click.ClickException("the copies do not agree")
    click.echo("the copies agree")


@command(click.argument("name"))
def chapter(root, name):
    """Write a new chapter, NAME such as beyond/my-page, that builds and passes, with its line in _toc.yml."""
    from edition.new_chapter import new_chapter

    path = new_chapter(name, root).relative_to(root)
    click.echo(f"{path}: write over it, then make run CHAPTER={name} and make reference CHAPTERS={name}")


@command(
    click.argument("chapter"),
    click.option("-p", "--parameter", "parameters", nargs=2, multiple=True, metavar="NAME VALUE", help="In YAML."),
    scale,
)
def run(root, chapter, parameters, scale):
    """Execute one CHAPTER, such as linear/5-1-hierarchical, at other parameters; the book is not touched.

    Parameters that are not given are those of the scale: quick takes seconds.
    """
    from edition.publishing.build import run_alone

    chapters = book(root)
    found = chosen(chapter, chapters, with_code=True, root=root)
    given = {}
    for name, text in parameters:
        if name in given:
            raise ValueError(f"{name}: expected one value, got a second, {text!r}; give each once")
        given[name] = read_value(name, text)
    values = parameters_at(scale, chapters, root)[found.name] | found.checked(given)
    site = root / "_build" / "runs" / found.name
    with exclusive_lock(root / "_build" / "runs"):
        run_alone(root, found, values, site)


@command()
def release(root):
    """Pack what is recorded into an archive that a release attaches, and keep its verdicts and addresses."""
    from edition.citation import origin
    from edition.publishing.build import site_folder
    from edition.recorded import release as pack

    click.echo(f"what is recorded: {pack(root, origin(root)['version'], _built(site_folder(root / '_build')))}")


@command(click.argument("names", nargs=-1, metavar="[CHAPTER]..."), jobs)
def reference(root, names, jobs):
    """Make the references that the chapters' tests compare with, at the quick scale.

    Each CHAPTER is one such as linear/5-1-hierarchical; by default all are made.
    """
    from edition.publishing.build import execute_book, stop_if_failed
    from edition.verification.chapter_references import write_reference

    with exclusive_lock(root / "_build"):
        chapters, results = execute_book(root, "quick", root / "_build", jobs=jobs, names=names)
        for name, result in results.items():
            if result.path:
                click.echo(write_reference(chapters[name], result.path, root).relative_to(root))
        stop_if_failed(results, chapters, root)


@command(
    jobs,
    click.option("--thorough", is_flag=True, help="Go on until each claim has noticed one that it meets."),
    click.argument("names", nargs=-1),
)
def faults(root, jobs, thorough, names):
    """Plant the faults of ledger/faults.toml, all or those NAMED, one at a time, until a claim notices.

    The summary, which a release records, says who noticed each.
    """
    from edition.claims.faults import read_faults, read_summary, write_summary
    from edition.verification.fault_runs import GONE, NOT_RUN, SURVIVES, run_faults, summary

    with exclusive_lock(root / "_build"):
        chapters = [chapter for chapter in book(root).values() if chapter.is_executable()]
        found = run_faults(chapters, root, root / "_build" / "faults.json", jobs=jobs, names=names, thorough=thorough)
    result, before = summary(found, names or read_faults(root)), read_summary(root)
    noticed = {name: entry["outcome"] for name, entry in result.items()}
    for name, who in noticed.items():
        was = before[name]["outcome"] if name in before else who
        click.echo(f"{who:17} {name}{f' (was: {was})' * (was != who)}")
    for reason in found["gone"].values():
        click.echo(reason)
    evidence = {name: entry for name, entry in result.items() if noticed[name] not in (GONE, NOT_RUN)}
    click.echo(f"the summary: {write_summary(root, evidence)}")
    if NOT_RUN in noticed.values():
        raise click.ClickException("not all was run; give the same command again, what is finished is kept")
    if survivors := [name for name, who in noticed.items() if who == SURVIVES]:
        raise click.ClickException(f"nothing notices {', '.join(survivors)}; a claim or a test should")


@command(
    click.argument("names", nargs=-1, metavar="[CHAPTER]..."),
    click.option("--scale", type=click.Choice(SCALES), default="quick", show_default=True),
    jobs,
    click.option("--kind", type=KINDS, help="Only the variations of this kind; effort, step and other, only by it."),
)
def robust(root, names, scale, jobs, kind):
    """Execute chapters with other kernels of the linear algebra, two threads, other seeds; tell how claims come out.

    A variation is named after the Python that runs this command. Each CHAPTER is one such as
    linear/5-1-hierarchical; by default all are executed, and the summary, which a release records, takes in those of
    the quick scale. Fails where a claim depends on the machine. With --kind effort, the fits of parameters/effort.yml
    get more steps or starts, at the papers' values; fails where a claim moves that ledger/effort.yml does not have, or
    one that it has does not. With --kind step, each parameter is one step away, one at a time, and with --kind other
    they are those of parameters/other.yml, where each figure is looked at too; fails where a chapter does not run to
    its end, where a claim that is stated for these values does not come out, or where a figure cannot be read.
    """
    from edition.verification.robustness import EFFORT, OTHER, STEP, check_robustness, steps, variations, write_summary

    chapters = book(root)
    taken = [chosen(name, chapters, root=root) for name in names] or list(chapters.values())
    taken = [chapter for chapter in taken if chapter.is_executable()]
    scale = "default" if kind in (EFFORT, OTHER) else scale
    parameters = parameters_at(scale, chapters, root)
    tried = steps(taken, parameters) if kind == STEP else variations(chapters, root)
    tried = [each for each in tried if each.kind == kind or (kind is None and each.kind not in (EFFORT, OTHER))]
    for variation in tried:
        if variation.skipped:
            click.echo(f"skipped: {variation.name} ({variation.skipped})")
    with exclusive_lock(root / "_build" / "robust"):
        possible = [each for each in tried if not each.skipped]
        found = check_robustness(taken, parameters, root / "_build" / "robust", tried=possible, jobs=jobs, root=root)
    click.echo(found.describe())
    if not names and kind not in (STEP, OTHER) and (scale == "quick" or kind == EFFORT):
        click.echo(f"the summary: {write_summary(found, root)}")
    if reason := found.wrong():
        raise click.ClickException(reason)


def _built(site):
    """Return the folder of a site if it was built."""
    if not (site / "receipt.json").exists():
        raise ValueError(f"{site}: expected the book that was built here, found none; give make book first")
    return site

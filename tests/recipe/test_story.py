"""The attacks story: every promise stops the attack that it is for, and the next one still gets through."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.recipe.story import Story, page_of, picture_of, tell, write_story
from sfumato.recipe.story.telling import CHARGES, EVERYBODY, VOTERS, K, edition_of
from sfumato.recipe.story.words import NAMES
from sfumato.table.models import DistinctLDiversity, EpsilonMAnonymity, KAnonymity

# The story is told once: all that look at it belong into one process.
pytestmark = pytest.mark.xdist_group("story")

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def story() -> Story:
    """The story as it is told when nothing else is said."""
    return tell()


@pytest.fixture(scope="module")
def small() -> Story:
    """A hospital in which some attacks fail earlier."""
    return tell(600, 1)


def test_without_names_linkage_finds_most_patients_of_the_voter_list(story: Story) -> None:
    found = story.names_removed[VOTERS]
    assert found.scored is Scored.MEASURED
    assert found.attempts == story.town.voters_who_were_patients > 0
    assert found.success > 0.5
    assert found.certain > found.attempts / 2


def test_linkage_with_the_voter_list_counts_as_a_slow_look_through_both_files_does(story: Story) -> None:
    columns = ("patient_id", "birth_date", "sex", "zip")
    patients, voters = (
        list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))
        for table in (story.town.patients, story.town.voters)
    )
    records = Counter(row[1:] for row in patients)
    exactly = Counter(row[1:] for row in voters)
    anywhere = Counter(row[1:3] for row in voters)
    homes = {who: place for who, _, _, place in patients}
    right, sure = [], 0
    for who, born, sex, place in voters:
        if who not in homes:
            continue
        # A patient without a ZIP code may live anywhere; a record that fits fewer voters says more.
        looks = {place: exactly[born, sex, place], None: anywhere[born, sex]}
        fit = {zip_: voters_ for zip_, voters_ in looks.items() if records[born, sex, zip_]}
        taken = [zip_ for zip_ in fit if fit[zip_] == min(fit.values())]
        number = sum(records[born, sex, zip_] for zip_ in taken)
        right.append(Fraction(1, number) if homes[who] in taken else Fraction(0))
        sure += homes[who] in fit and sum(records[born, sex, zip_] for zip_ in fit) == 1
    found = story.names_removed[VOTERS]
    assert found.success == pytest.approx(float(sum(right) / len(right)), abs=1e-12)
    assert found.certain == sure


def test_years_of_birth_alone_are_no_promise(story: Story) -> None:
    assert story.years[EVERYBODY].success > 0.5
    assert story.years[VOTERS].highest == 1.0


@pytest.mark.parametrize("linkage", [VOTERS, EVERYBODY])
def test_after_k_anonymity_linkage_is_right_about_at_most_one_in_k(story: Story, linkage: str) -> None:
    for edition in story.editions[1:]:
        assert 0 < edition[linkage].success <= Fraction(1, K)
        assert edition[linkage].highest <= 1 / K
        assert edition[linkage].certain == 0


def test_after_k_anonymity_homogeneity_still_works(story: Story) -> None:
    found = story.k_anonymous["homogeneity"]
    assert found.certain >= K
    assert found.success == found.certain / story.patients


def test_after_l_diversity_homogeneity_fails(story: Story) -> None:
    for edition in story.editions[2:]:
        assert edition["homogeneity"].certain == 0
        assert edition["homogeneity"].success == 0


def test_after_l_diversity_background_knowledge_still_works(story: Story) -> None:
    facts, without_facts = story.diverse["background knowledge"], story.diverse["no facts"]
    assert facts.certain > 0
    assert facts.highest == 1.0
    assert facts.success > without_facts.success > facts.baseline
    assert without_facts.certain == 0


def test_after_l_diversity_skewness_still_works(story: Story) -> None:
    for column in ("illness", "charges"):
        found = story.diverse[f"skewness, {column}"]
        assert found.success >= found.baseline > 0
        assert found.highest > 0.5


def test_skewness_ends_with_t_closeness_and_equal_distances(story: Story) -> None:
    for column in ("illness", "charges"):
        found = story.close[f"skewness, {column}"]
        assert found.success == found.certain == 0


def test_similarity_still_works_after_t_closeness_with_equal_distances(story: Story) -> None:
    for edition in (story.k_anonymous, story.diverse, story.close):
        assert edition["similarity"].certain > 0
    # Homogeneity would have found nothing: the values of these classes differ.
    assert story.close["similarity"].details["values_differ"] == story.close["similarity"].certain


def test_similarity_ends_with_a_distance_that_knows_what_is_close(story: Story) -> None:
    for edition in (story.ordered, story.numeric):
        assert edition["similarity"].success == edition["similarity"].certain == 0


def test_similarity_ends_with_range_diversity(story: Story) -> None:
    assert story.ranged["similarity"].success == story.ranged["similarity"].certain == 0


def test_close_similarity_ends_with_epsilon_m_anonymity(story: Story) -> None:
    assert story.diverse["close similarity"].certain > 0
    assert story.near["close similarity"].certain == 0


def test_equal_distances_end_similarity_too_when_t_is_small_as_the_page_admits(story: Story) -> None:
    assert story.tight["similarity"].certain == 0
    assert story.loose["similarity"].certain > 0


def test_every_promise_was_checked_and_holds(story: Story) -> None:
    for edition in (*story.editions[1:], *story.about_charges):
        assert len(edition.verdicts) == len(edition.models)
        assert all(verdict.holds for verdict in edition.verdicts)


def test_nobody_is_attacked_twice_and_nobody_is_forgotten(story: Story) -> None:
    for edition in story.editions:
        attempts = Counter(edition[attack].attempts for attack in NAMES if attack != VOTERS)
        assert attempts == {story.patients: len(NAMES) - 1}


def test_the_page_in_the_docs_is_the_one_that_is_told(story: Story) -> None:
    assert page_of(story, "pictures/attacks-story.svg") == (DOCS / "attacks-story.md").read_text("utf-8")


def test_the_picture_in_the_docs_is_the_one_that_is_drawn(story: Story) -> None:
    assert picture_of(story) == (DOCS / "pictures" / "attacks-story.svg").read_text("utf-8")


def test_a_story_in_which_an_attack_fails_earlier_says_so(small: Story) -> None:
    assert small.k_anonymous["homogeneity"].success == 0
    assert small.close["similarity"].success == 0
    page = page_of(small, "x.svg")
    assert "**Homogeneity finds nobody here**" in page
    assert "**Homogeneity still works**" not in page
    assert "**Similarity finds nobody any more.**" in page
    assert "**Similarity still works.**" not in page


def test_a_promise_that_cannot_be_kept_is_told_and_not_counted_as_safe(small: Story) -> None:
    models = (
        KAnonymity(K),
        DistinctLDiversity(2, column="illness"),
        EpsilonMAnonymity(100, 2, column="charges"),
    )
    impossible = edition_of(small.town, "", "too much", models, CHARGES)
    assert not impossible.results
    page = page_of(replace(small, near=impossible), "x.svg")
    assert "| too much | l = 2 | cannot be kept |" in page
    assert "(ε,m)-anonymity keeps" not in page


def test_the_command_writes_the_same_page_and_picture_again(small: Story, tmp_path: Path) -> None:
    out = tmp_path / "told.md"
    ended = CliRunner().invoke(app, ["story", "--patients", "600", "--seed", "1", "--out", str(out)])
    assert ended.exit_code == 0
    assert "homogeneity" in ended.stdout
    assert out.read_text("utf-8") == page_of(small, "pictures/told.svg")
    assert (tmp_path / "pictures" / "told.svg").read_text("utf-8") == picture_of(small)


@pytest.mark.parametrize("there", ["told.md", "pictures/told.svg"])
def test_the_command_refuses_to_write_over_what_is_there(there: str, tmp_path: Path) -> None:
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("mine")
    ended = CliRunner().invoke(app, ["story", "--out", str(tmp_path / "told.md")])
    assert isinstance(ended.exception, BadInput)
    assert "--replace" in str(ended.exception)
    assert (tmp_path / there).read_text() == "mine"


def test_a_hospital_that_is_too_small_for_the_story_is_refused(tmp_path: Path) -> None:
    ended = CliRunner().invoke(app, ["story", "--patients", "100", "--out", str(tmp_path / "told.md")])
    assert ended.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_it_is_said_where_a_story_cannot_be_written(tmp_path: Path, small: Story) -> None:
    (tmp_path / "pictures").write_text("a file in the place of a folder")
    with pytest.raises(BadInput, match="cannot be written"):
        write_story(small, tmp_path / "told.md")

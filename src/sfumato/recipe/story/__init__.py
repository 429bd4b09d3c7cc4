"""The attacks story: promise after promise about one hospital, and the attack that gets past each."""

from sfumato.recipe.story.page import page_of, picture_of, write_story
from sfumato.recipe.story.telling import PATIENTS, SEED, Edition, Story, tell

__all__ = ["PATIENTS", "SEED", "Edition", "Story", "page_of", "picture_of", "tell", "write_story"]

"""The case study of diagnosis codes: how exposed they are, and what each remedy leaves, for any file."""

from sfumato.recipe.case_study.page import page_of, write_case_study
from sfumato.recipe.case_study.pictures import Picture, pictures_of
from sfumato.recipe.case_study.source import Source, read_diseases
from sfumato.recipe.case_study.study import Study, study

__all__ = [
    "Picture",
    "Source",
    "Study",
    "page_of",
    "pictures_of",
    "read_diseases",
    "study",
    "write_case_study",
]

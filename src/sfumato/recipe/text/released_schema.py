"""schema.json of released notes: the file, its columns and their roles."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.core.schema import Role
from sfumato.recipe.text.job import TextJob


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReleasedTextField(_Part):
    """A column of released notes."""

    name: str
    role: Role


class ReleasedText(_Part):
    """What a release of notes holds."""

    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["text"] = "text"
    version: Literal[1] = 1
    file: str
    fields: list[ReleasedTextField] = Field(min_length=1)

    @property
    def text(self) -> str:
        """The column of notes."""
        return next(field.name for field in self.fields if field.role is Role.TEXT)


def released_text(job: TextJob, file: str) -> ReleasedText:
    """Describe what a job releases."""
    return ReleasedText(
        file=file,
        fields=[
            ReleasedTextField(name=column.name, role=column.role)
            for column in job.schema.fields
            if column.name in job.schema.released
        ],
    )

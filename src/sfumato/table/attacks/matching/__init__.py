"""Who may be whom: what attacks that link people with records share."""

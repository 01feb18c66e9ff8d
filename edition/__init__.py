"""How the chapters become the published edition: claims, execution, figures, publishing, verification, metadata."""

/** Folders that hold what tools make, not what people write, wherever they are. */
export const toolFolders =
  /^(?:\.git|\.hg|\.svn|\.relaycode|node_modules|\.venv|__pycache__|\.(?:nyc_output|turbo|next|nuxt|gradle|tox|(?:mypy|ruff|pytest)_cache))$/

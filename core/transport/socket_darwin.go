package transport

// maxSocketPath is what fits into sun_path with its ending zero.
const maxSocketPath = 103

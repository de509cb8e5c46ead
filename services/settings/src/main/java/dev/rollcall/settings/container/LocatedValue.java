package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;

/** A value, and where it was said. */
record LocatedValue<T>(T value, FilePosition place) {}

package dev.rollcall.settings.container;

import dev.rollcall.settings.Place;

/** A value, and where it was said. */
record Said<T>(T value, Place place) {}

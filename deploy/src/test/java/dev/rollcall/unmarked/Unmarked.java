package dev.rollcall.unmarked;

/** Lives in a package without package-info. */
public record Unmarked() {}

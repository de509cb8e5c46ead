package dev.rollcall.settings;

import java.util.Optional;

/**
 * A key that a reader asked for; the reference page lists these.
 *
 * @param key with its section's name and a dot before it
 * @param takes what can stand there, in Markdown
 * @param standard what holds where it is left out, as the file would say it; empty if nothing does
 */
public record KnownKey(String key, String takes, Optional<String> standard) {}

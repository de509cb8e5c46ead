/**
 * Processes of a user who has jobs here that are in none of them, though nobody let them in so: by
 * the user's own systemd, cron, at, or what else has a way out. They are told, and brought back
 * where the site wants it.
 */
@NullMarked
package dev.rollcall.agent.outside;

import org.jspecify.annotations.NullMarked;

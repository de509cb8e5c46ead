/**
 * Finds processes outside of jobs, of users who have jobs here: started by the user's own systemd,
 * cron, at or another service. They are reported, and brought back where the site wants it.
 */
@NullMarked
package dev.rollcall.agent.outside;

import org.jspecify.annotations.NullMarked;

/**
 * Attacks on the running system, each a test of its own: what the attacker gets, and that nobody
 * else notices. docs/security.md lists them.
 */
@NullMarked
package dev.rollcall.lab.adversary;

import org.jspecify.annotations.NullMarked;

/**
 * The pages: their keys, options and meters are held against the programs, their links followed.
 */
@NullMarked
package dev.rollcall.deploy.docs;

import org.jspecify.annotations.NullMarked;
